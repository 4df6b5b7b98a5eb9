import { AllSelection, TextSelection } from '@tiptap/pm/state'
import { findWrapping, liftTarget } from '@tiptap/pm/transform'
import type { NodeConfig } from '@tiptap/react'

/** Blocks that hold parts of their own, among which no quote can stand, and items, which cannot begin with one. */
const WHOLE = /^(?:table(?:Section|Row)?|definitions)$|(?:List|Item)$/

/** Makes a quote of the selected blocks, of lists and tables as a whole: TipTap's own does nothing in an item. */
export const quoteCommands: Partial<NodeConfig> = {
  addCommands() {
    return {
      ...this.parent?.(),
      toggleBlockquote:
        () =>
        ({ tr, editor }) => {
          const { selection } = tr
          const { $from, $to } =
            selection instanceof AllSelection
              ? TextSelection.between(selection.$from, selection.$to)
              : selection
          const range = $from.blockRange($to, ({ type }) => !WHOLE.test(type.name))
          if (!range) return false
          if (editor.isActive(this.name)) {
            const depth = range.parent.type === this.type ? liftTarget(range) : null
            if (depth !== null) tr.lift(range, depth).scrollIntoView()
            return depth !== null
          }
          const wrapping = findWrapping(range, this.type)
          if (wrapping) tr.wrap(range, wrapping).scrollIntoView()
          return wrapping !== null
        },
    }
  },
}
