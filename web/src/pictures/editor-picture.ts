import { files } from '@kopilka/contract/files.ts'
import { closeHistory } from '@tiptap/pm/history'
import type { Editor } from '@tiptap/react'
import { call } from '../api/call.ts'
import { failureText } from '../api/failure-text.ts'
import classes from './pictures.module.css'
import { keepButton, loadFailure, showStored } from './stored-picture.ts'

/** Loads a picture of the user into its place in the editor; pressed after a failure it loads once more. */
export function mountStored(frame: HTMLElement, image: HTMLImageElement, id: string): () => void {
  const { load, stop } = showStored(image, id, (state) => {
    frame.dataset.state = state
    frame.dataset.failure = loadFailure()
  })
  const retry = () => {
    if (frame.dataset.state === 'failed') void load()
  }
  frame.classList.add(classes.enlarge ?? '')
  frame.addEventListener('click', retry)
  return () => {
    frame.removeEventListener('click', retry)
    stop()
  }
}

/** Puts a button behind the placeholder of a picture of another host: it saves the picture and puts it there. */
export function mountKeepButton(
  frame: HTMLElement,
  src: string,
  {
    editor,
    getPos,
    onKeeping,
    onFailure,
  }: {
    editor: Editor
    getPos: () => number | undefined
    /** Called with 1 when the picture begins to be saved, and with -1 when that has ended. */
    onKeeping: (step: 1 | -1) => void
    onFailure: (text: string) => void
  },
): void {
  const keep = async () => {
    onKeeping(1)
    try {
      const { url, width, height } = await call(files.fetch, { body: { url: src } })
      const pos = getPos()
      const node = pos === undefined || editor.isDestroyed ? null : editor.state.doc.nodeAt(pos)
      // The text may have changed meanwhile, and another picture stand there.
      if (pos === undefined || node?.attrs.src !== src) return
      const size =
        node.attrs.width && node.attrs.height ? {} : { width: String(width), height: String(height) }
      editor.view.dispatch(
        closeHistory(editor.state.tr).setNodeMarkup(pos, null, { ...node.attrs, ...size, src: url }),
      )
    } catch (failure) {
      onFailure(failureText(failure, 'pictures.keepFailure'))
    } finally {
      onKeeping(-1)
    }
  }
  frame.append(keepButton(src, keep))
}
