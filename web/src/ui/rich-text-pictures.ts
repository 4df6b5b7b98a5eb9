import { fileIdIn, fileUrl } from '@kopilka/contract/files.ts'
import type { Node as ProseMirrorNode } from '@tiptap/pm/model'
import { NodeSelection } from '@tiptap/pm/state'
import type { EditorProps, EditorView } from '@tiptap/pm/view'
import type { Editor, NodeViewRenderer } from '@tiptap/react'
import { NETWORK } from '../lib/network.ts'
import { parseHtml } from '../lib/trusted-types.ts'
import { t } from '../messages/editor-messages.ts'
import type { createUploads, Uploads } from '../pictures/editor-uploads.ts'
import { remoteImageClass, remoteImageText } from './remote-image.ts'
import classes from './rich-text-field.module.css'
import { showMessage } from './snackbar.ts'
import { emptyPicture } from './stored-image.ts'

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
    const id = fileIdIn(src)
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

const OWN = /data-file=|\/api\/v1\/files\//

/** Pasted HTML with the addresses of the user's own pictures as they are saved: where a note is read they have others. */
export function withStoredPictures(html: string): string {
  if (!OWN.test(html)) return html
  const page = parseHtml(html)
  for (const image of page.querySelectorAll('img')) {
    const url = URL.parse(image.getAttribute('src') ?? '', location.origin)
    const stored = fileUrl(image.dataset.file ?? '')
    if (fileIdIn(stored) !== undefined) image.setAttribute('src', stored)
    else if (url?.origin === location.origin && fileIdIn(url.pathname) !== undefined)
      image.setAttribute('src', url.pathname)
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

type Handlers = Pick<EditorProps, 'handlePaste' | 'handleDrop'>
type Report = (uploads: Uploads) => void

/** The pictures of one editor. `onUploads` is called whenever the number of those on their way changes. */
export function createPictures(editorOf: () => Editor | null, onUploads: Report) {
  let loading: Promise<ReturnType<typeof createUploads>> | undefined
  let original = false
  let uploads: Uploads = { uploading: 0, failed: 0 }
  let fetching = 0
  const report = (now = uploads): void => {
    uploads = now
    onUploads({ uploading: now.uploading + fetching, failed: now.failed })
  }
  const load = async (editor: Editor) => {
    const { createUploads } = await import('../pictures/editor-uploads.ts')
    return createUploads(editor, { onChange: report, onRefused: sayRefused })
  }
  /** Takes files into the text: at a position, else where the cursor is. */
  const add = async (files: readonly File[], at?: number): Promise<void> => {
    const editor = editorOf()
    if (!editor || files.length === 0) return
    const pos = at ?? editor.state.selection.to
    // From now on there is something to wait for before the text is saved.
    if (!loading) report({ uploading: files.length, failed: 0 })
    loading ??= load(editor)
    try {
      const { add } = await loading
      if (!editor.isDestroyed) add(files, Math.min(pos, editor.state.doc.content.size), original)
    } catch {
      loading = undefined
      report({ uploading: 0, failed: 0 })
      sayNoResponse()
    }
  }
  const paste = (view: EditorView, { clipboardData }: ClipboardEvent): boolean => {
    const files = filesOf(clipboardData)
    if (files.length === 0) return false
    if (!view.state.selection.empty && !(view.state.selection instanceof NodeSelection))
      view.dispatch(view.state.tr.deleteSelection())
    void add(files)
    return true
  }
  const drop = (view: EditorView, event: DragEvent, isMoved: boolean): boolean => {
    const files = isMoved || view.dragging ? [] : filesOf(event.dataTransfer)
    if (files.length === 0) return false
    event.preventDefault()
    void add(files, view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos)
    return true
  }
  return {
    add,
    /** Counts pictures of other hosts that are being saved among those on their way. */
    countFetched: (editor: Editor) => {
      fetchListeners.set(editor, (step) => {
        fetching += step
        report()
      })
    },
    /** Handlers of the editor that take files, and leave all else to those given. */
    handlers: ({ handlePaste, handleDrop }: Handlers): Handlers => ({
      handlePaste(view, event, slice) {
        return paste(view, event) || handlePaste?.call(this, view, event, slice)
      },
      handleDrop(view, event, slice, isMoved) {
        return drop(view, event, isMoved) || handleDrop?.call(this, view, event, slice, isMoved)
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
