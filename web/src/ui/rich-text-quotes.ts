import { AllSelection, TextSelection } from '@tiptap/pm/state'
import { findWrapping, liftTarget } from '@tiptap/pm/transform'
import type { NodeConfig } from '@tiptap/react'

/** Makes a quote of the selected blocks, of lists as a whole: TipTap's own does nothing in an item, which cannot begin with one. */
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
          const range = $from.blockRange($to, ({ type }) => !/(?:List|Item)$/.test(type.name))
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
