import { fileIdIn, fileUrl } from '@kopilka/contract/files.ts'
import type { Node as ProseMirrorNode, Slice } from '@tiptap/pm/model'
import { NodeSelection, Selection } from '@tiptap/pm/state'
import type { EditorProps, EditorView } from '@tiptap/pm/view'
import type { Editor, NodeViewRenderer } from '@tiptap/react'
import { NETWORK } from '../lib/network.ts'
import { parseHtml } from '../lib/trusted-types.ts'
import { t } from '../messages/editor-messages.ts'
import type { createUploads, Replaced, Uploads } from '../pictures/editor-uploads.ts'
import { withEmoji } from './pasted-emoji.ts'
import { remoteImageClass, remoteImageText } from './remote-image.ts'
import classes from './rich-text-field.module.css'
import { showMessage } from './snackbar.ts'
import { emptyPicture, storedIdIn } from './stored-image.ts'

/*
 * Pictures in the editor, as far as every form needs it at once. What loads them and sends them comes with the first one
 * (pictures/).
 */

const sayNoResponse = (): void => showMessage(t('failure.noResponse'), 'error', { about: NETWORK })
const sayRefused = (sentence: string): void => showMessage(sentence, 'error')

/** By editor: called with 1 when a picture of another host begins to be saved, and with -1 when that ends. */
const fetchListeners = new WeakMap<Editor, (step: 1 | -1) => void>()

/** Shows a picture in the editor: one of the user's loads with the token of the session, one of another host has a placeholder. */
export const pictureView: NodeViewRenderer = ({ node: first, editor, getPos }) => {
  const dom = document.createElement('span')
  let node: ProseMirrorNode = first
  let stop = (): void => {}
  const show = (): void => {
    stop()
    const { src, width, height, title } = node.attrs
    const alt = node.attrs.alt ?? ''
    const remote = remoteImageText(node.attrs)
    const id = storedIdIn(src)
    const image = document.createElement('img')
    Object.assign(image, { alt, title: title ?? '' })
    if (width) image.setAttribute('width', width)
    if (height) image.setAttribute('height', height)
    dom.className = classes.picture ?? ''
    delete dom.dataset.state
    let isStopped = false
    stop = () => {
      isStopped = true
    }
    const enhance = async (): Promise<void> => {
      const pictures = await import('../pictures/editor-picture.ts')
      if (isStopped) return
      if (id !== undefined) stop = pictures.mountStored(dom, image, id)
      else
        pictures.mountKeepButton(dom, src, {
          editor,
          getPos,
          onKeeping: (step) => fetchListeners.get(editor)?.(step),
          onFailure: sayRefused,
        })
    }
    if (remote === undefined) {
      image.src = id === undefined ? src : emptyPicture(width, height)
      dom.replaceChildren(image)
    } else {
      const placeholder = document.createElement('span')
      placeholder.className = remoteImageClass
      placeholder.textContent = remote
      dom.replaceChildren(placeholder)
    }
    if (id !== undefined || remote !== undefined) enhance().catch(sayNoResponse)
  }
  show()
  return {
    dom,
    update: (next) => {
      if (next.type !== node.type) return false
      const before = node
      node = next
      if (next.attrs.src !== before.attrs.src || remoteImageText(next.attrs) !== undefined) show()
      else dom.querySelector('img')?.setAttribute('alt', next.attrs.alt ?? '')
      return true
    },
    destroy: () => stop(),
    stopEvent: ({ target }) => target instanceof HTMLButtonElement,
    ignoreMutation: () => true,
  }
}

const SHOWN = /data-(?:file|picture)=|\/api\/v1\/files\//

const collapsed = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Puts an `<img>` of another host back in the place of what names it, or of a piece of that, where a note is read. */
function restoreRemoteImage(placeholder: HTMLElement): void {
  const { picture: src = '', alt = '' } = placeholder.dataset
  const text = remoteImageText({ src, alt })
  // Other pages may have such attributes, and a text of their own there.
  if (text === undefined || !collapsed(text).includes(collapsed(placeholder.textContent))) return
  const image = placeholder.ownerDocument.createElement('img')
  image.setAttribute('src', src)
  image.alt = alt
  placeholder.replaceWith(image)
}

/** Pasted HTML with pictures as they are saved: where a note is read they have other addresses, and those of other hosts none. */
export function withStoredPictures(html: string): string {
  if (!SHOWN.test(html)) return html
  const page = parseHtml(html)
  for (const placeholder of page.querySelectorAll<HTMLElement>('[data-picture]'))
    restoreRemoteImage(placeholder)
  for (const image of page.querySelectorAll('img')) {
    const stored = fileUrl(image.dataset.file ?? '')
    const id = fileIdIn(stored) ?? storedIdIn(image.getAttribute('src') ?? '')
    if (id !== undefined) image.setAttribute('src', fileUrl(id))
  }
  return page.body.innerHTML
}

/** Whether one picture of the user or of a text (`data:`) is selected: others have no description to write. */
export const isPictureSelected = ({ state: { selection } }: Editor): boolean =>
  selection instanceof NodeSelection && selection.node.type.name === 'image'

/** Whether HTML says more than the files beside it: cells of a table come with a picture of them. */
const hasText = (html: string): boolean => {
  const { body } = parseHtml(html)
  return body.textContent.trim() !== '' || body.querySelector('table') !== null
}

/** The files of what is pasted or dropped, unless it has a text. */
const filesOf = (data: DataTransfer | null): File[] => {
  const files = [...(data?.files ?? [])]
  return files.length > 0 && hasText(data?.getData('text/html') ?? '') ? [] : files
}

/** An `<img>` whose picture stayed with the program that the HTML comes from. One of the user's own has its id beside it. */
const UNREACHABLE = /<img\b(?![^>]*\sdata-file=)[^>]*?\ssrc\s*=\s*["']?(?:file|cid|blob|webkit-fake-url):/gi

/** Says of pasted or dropped HTML how many of its pictures are not in the text. */
async function sayUnreachable(data: DataTransfer | null): Promise<void> {
  const count = withEmoji(data?.getData('text/html') ?? '').match(UNREACHABLE)?.length ?? 0
  if (count === 0) return
  const { t } = await import('../messages/pictures-messages.ts')
  showMessage(t('pictures.unreachable', { count }), 'error')
}

/** The addresses in a piece of a text that are pictures themselves. SVG is no file to be kept, and stays. */
function dataPicturesIn({ content }: Slice): ReadonlySet<string> {
  const found = new Set<string>()
  content.descendants(({ attrs: { src } }) => {
    if (/^\s*data:image\/(?!svg)/i.test(src)) found.add(src)
  })
  return found
}

type Handlers = Pick<EditorProps, 'handlePaste' | 'handleDrop'>
type Report = (uploads: Uploads) => void

/** The pictures of one editor. `onUploads` is called whenever the number of those on their way changes. */
export function createPictures(editorOf: () => Editor | null, onUploads: Report) {
  let loading: Promise<ReturnType<typeof createUploads>> | undefined
  let original = false
  let uploads: Uploads = { uploading: 0, failed: 0 }
  /** Pictures of other hosts that are being saved, and pasted texts that wait for what reads them. */
  let waiting = 0
  const report = (now = uploads): void => {
    uploads = now
    onUploads({ uploading: now.uploading + waiting, failed: now.failed })
  }
  const load = async (editor: Editor) => {
    const { createUploads } = await import('../pictures/editor-uploads.ts')
    return createUploads(editor, { onChange: report, onRefused: sayRefused })
  }
  /** Runs a task with what sends pictures, which loads with the first. `count`: how many are on their way meanwhile. */
  const send = async (
    count: number,
    task: (sender: ReturnType<typeof createUploads>, editor: Editor) => void,
  ): Promise<void> => {
    const editor = editorOf()
    if (!editor || editor.isDestroyed || count === 0) return
    // From now on there is something to wait for before the text is saved.
    if (!loading) report({ uploading: count, failed: 0 })
    loading ??= load(editor)
    try {
      const sender = await loading
      if (!editor.isDestroyed) task(sender, editor)
    } catch {
      loading = undefined
      report({ uploading: 0, failed: 0 })
      sayNoResponse()
    }
  }
  /** Takes files into the text: at a position, else where the cursor is. */
  const add = (
    files: readonly File[],
    at = editorOf()?.state.selection.to ?? 0,
    replaced?: Replaced,
  ): Promise<void> =>
    send(files.length, ({ add }, editor) =>
      add(files, Math.min(at, editor.state.doc.content.size), original, replaced),
    )
  /** What has HTML is for the editor; its pictures are sent once they are in the text. */
  const takeHtml = (data: DataTransfer | null, slice: Slice): false => {
    sayUnreachable(data).catch(sayNoResponse)
    const addresses = dataPicturesIn(slice)
    void send(addresses.size, ({ replace }) => replace(addresses, original))
    return false
  }
  const paste = (view: EditorView, { clipboardData }: ClipboardEvent, slice: Slice): boolean => {
    const files = filesOf(clipboardData)
    if (files.length === 0) return takeHtml(clipboardData, slice)
    const { selection, doc, tr } = view.state
    const { from, to } = selection
    const isOver = !selection.empty && !(selection instanceof NodeSelection)
    // The text stays until a picture is there: all of them may be refused or cancelled. What is typed meanwhile comes behind it.
    if (isOver) view.dispatch(tr.setSelection(Selection.near(doc.resolve(to), -1)))
    void add(files, undefined, isOver ? { from, to, slice: doc.slice(from, to) } : undefined)
    return true
  }
  const drop = (view: EditorView, event: DragEvent, slice: Slice, isMoved: boolean): boolean => {
    if (isMoved || view.dragging) return false
    const files = filesOf(event.dataTransfer)
    if (files.length === 0) return takeHtml(event.dataTransfer, slice)
    event.preventDefault()
    void add(files, view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos)
    return true
  }
  /** Counts what else is on its way into the text. */
  const count = (step: 1 | -1): void => {
    waiting += step
    report()
  }
  return {
    add,
    count,
    /** Counts pictures of other hosts that are being saved among those on their way. */
    countFetched: (editor: Editor) => {
      fetchListeners.set(editor, count)
    },
    /** Handlers of the editor that take files, and leave all else to those given. */
    handlers: ({ handlePaste, handleDrop }: Handlers): Handlers => ({
      handlePaste(view, event, slice) {
        return paste(view, event, slice) || handlePaste?.call(this, view, event, slice)
      },
      handleDrop(view, event, slice, isMoved) {
        return drop(view, event, slice, isMoved) || handleDrop?.call(this, view, event, slice, isMoved)
      },
    }),
    /** Whether the next files stay as they are. */
    keepsOriginal: () => original,
    keepOriginal: (wanted: boolean) => {
      original = wanted
    },
  }
}

export type Pictures = ReturnType<typeof createPictures>
