import type { Node as ProseMirrorNode, Slice } from '@tiptap/pm/model'

const INDENT = '    '

/** What stands before each item of a list. */
function signOf(list: ProseMirrorNode, item: ProseMirrorNode, at: number): string {
  if (list.type.name === 'taskList') return item.attrs.checked ? '☑ ' : '☐ '
  return list.type.name === 'orderedList' ? `${Number(list.attrs.start) + at}. ` : '- '
}

const joined = (blocks: readonly ProseMirrorNode[], separator: string): string =>
  blocks.map(textOf).join(separator)

function textOf(block: ProseMirrorNode): string {
  if (block.isTextblock)
    return block.textBetween(0, block.content.size, '', ({ type }) => (type.name === 'hardBreak' ? '\n' : ''))
  switch (block.type.name) {
    case 'bulletList':
    case 'orderedList':
    case 'taskList':
      return block.children
        .map(
          (item, at) => signOf(block, item, at) + joined(item.children, '\n').replaceAll('\n', `\n${INDENT}`),
        )
        .join('\n')
    case 'table':
    case 'tableSection':
    case 'definitions':
    case 'figure':
      return joined(block.children, '\n')
    case 'tableRow':
      return block.children.map((cell) => textOf(cell).replace(/\s*\n\s*/g, ' ')).join('\t')
    case 'horizontalRule':
      return '---'
    default:
      return joined(block.children, '\n\n')
  }
}

/**
 * What is copied as a plain text: items of lists with their signs, a line each, tasks with their state, and cells as spreadsheets
 * have them. A piece of one paragraph is that alone.
 */
export function copiedText({ content, openStart, openEnd }: Slice): string {
  let only = content.childCount === 1 ? content.firstChild : null
  for (let depth = 1; only && depth < Math.min(openStart, openEnd); depth += 1)
    only = only.childCount === 1 ? only.firstChild : null
  return only?.isTextblock ? textOf(only) : joined(content.content, '\n\n')
}
