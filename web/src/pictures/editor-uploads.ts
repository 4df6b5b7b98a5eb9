import { files, type Picture } from '@kopilka/contract/files.ts'
import { closeHistory } from '@tiptap/pm/history'
import type { Node as ProseMirrorNode } from '@tiptap/pm/model'
import { Plugin, PluginKey, type Transaction } from '@tiptap/pm/state'
import { insertPoint } from '@tiptap/pm/transform'
import { Decoration, DecorationSet } from '@tiptap/pm/view'
import type { Editor } from '@tiptap/react'
import { failureText } from '../api/failure-text.ts'
import { upload } from '../api/upload.ts'
import { t } from '../messages/pictures-messages.ts'
import { keepBlob } from './picture-blobs.ts'
import classes from './pictures.module.css'
import { PictureRefused, shrink } from './shrink.ts'

/*
 * Pictures on their way into a text of the editor. Until one has arrived, a decoration stands in its place, which is no part
 * of the document: it is neither saved nor in a draft, and to undo the picture is one step.
 */

/** How many pictures are on their way, and how many of them did not arrive and wait for a decision. */
export interface Uploads {
  uploading: number
  failed: number
}

interface Options {
  /** Called with every change. */
  onChange: (uploads: Uploads) => void
  /** Called with a sentence about a file that can be no picture of a text. */
  onRefused: (sentence: string) => void
}

/** A picture on its way. */
interface Upload {
  readonly id: number
  readonly file: File
  readonly original: boolean
  readonly element: HTMLElement
  controller: AbortController
  failed: boolean
}

/** Where in the document a picture will be. */
interface Place {
  readonly id: number
  readonly pos: number
  readonly element: HTMLElement
}

/** Changes of the places that a transaction carries; `arrived`: it puts the picture of this upload into the text. */
interface Change {
  added?: Place[]
  removed?: number
  arrived?: number
}

const key = new PluginKey<readonly Place[]>('uploads')

const withChange = (tr: Transaction, places: readonly Place[]): readonly Place[] => {
  const { added = [], removed, arrived }: Change = tr.getMeta(key) ?? {}
  const moved = places
    .filter(({ id }) => id !== removed && id !== arrived)
    // What is typed comes behind a place; pictures keep their order.
    .map((place) => {
      const side = arrived !== undefined && place.id > arrived ? 1 : -1
      return { ...place, pos: tr.mapping.map(place.pos, side) }
    })
  return [...moved, ...added]
}

const plugin = new Plugin<readonly Place[]>({
  key,
  state: { init: () => [], apply: withChange },
  props: {
    decorations(state) {
      const places = key.getState(state) ?? []
      const widgets = places.map(({ id, pos, element }) =>
        Decoration.widget(pos, element, {
          key: String(id),
          side: -1,
          ignoreSelection: true,
          stopEvent: () => true,
        }),
      )
      return DecorationSet.create(state.doc, widgets)
    },
  },
})

/** Puts a picture at a position, or where the nearest one is that may hold it. */
function insertPicture(tr: Transaction, pos: number, image: ProseMirrorNode): Transaction {
  const $pos = tr.doc.resolve(pos)
  if ($pos.parent.inlineContent && $pos.parent.canReplaceWith($pos.index(), $pos.index(), image.type))
    return tr.insert(pos, image)
  const paragraph = image.type.schema.nodes.paragraph?.create(null, image)
  if (!paragraph) return tr
  // Not into code, but behind it.
  const outside = $pos.parent.isTextblock ? $pos.after() : pos
  return tr.insert(insertPoint(tr.doc, outside, paragraph.type) ?? tr.doc.content.size, paragraph)
}

const buttonOf = (label: string, onPress: () => void): HTMLButtonElement => {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = label
  button.addEventListener('click', onPress)
  return button
}

/** Takes files into the text of an editor, one after the other. */
export function createUploads(editor: Editor, { onChange, onRefused }: Options) {
  const uploads: Upload[] = []
  let last = 0
  let running = false

  const change = (change: Change, tr = editor.state.tr): void => {
    if (!editor.isDestroyed) editor.view.dispatch(tr.setMeta(key, change))
  }
  const report = (): void => {
    const failed = uploads.filter((upload) => upload.failed).length
    onChange({ uploading: uploads.length - failed, failed })
  }
  const drop = (upload: Upload): void => {
    const hadFocus = upload.element.contains(document.activeElement)
    upload.controller.abort()
    uploads.splice(uploads.indexOf(upload), 1)
    change({ removed: upload.id })
    report()
    if (hadFocus && !editor.isDestroyed) editor.commands.focus()
  }

  const showProgress = ({ element, file }: Upload): HTMLProgressElement => {
    const { name } = file
    const progress = document.createElement('progress')
    progress.max = 1
    progress.ariaLabel = t('pictures.uploading', { name })
    const cancel = buttonOf('×', () => {
      const upload = uploads.find((upload) => upload.element === element)
      if (upload) drop(upload)
    })
    cancel.ariaLabel = t('pictures.cancel', { name })
    cancel.title = cancel.ariaLabel
    delete element.dataset.failed
    element.replaceChildren(t('pictures.uploading', { name }), progress, cancel)
    return progress
  }
  const showFailure = (upload: Upload, failure: unknown): void => {
    const text = document.createElement('span')
    text.role = 'alert'
    const reason = failureText(failure, 'pictures.uploadFailure')
    text.textContent = t('pictures.failedNamed', { name: upload.file.name, reason })
    upload.failed = true
    upload.element.dataset.failed = ''
    upload.element.replaceChildren(
      text,
      buttonOf(t('pictures.retry'), () => {
        upload.failed = false
        upload.controller = new AbortController()
        showProgress(upload)
        report()
        void run()
      }),
      buttonOf(t('pictures.drop'), () => drop(upload)),
    )
  }

  const arrive = ({ id }: Upload, { url, width, height }: Picture): void => {
    const place = key.getState(editor.state)?.find((place) => place.id === id)
    const attributes = { src: url, width: String(width), height: String(height), alt: '' }
    const image = editor.schema.nodes.image?.create(attributes)
    if (!place || !image) return
    change({ arrived: id }, insertPicture(closeHistory(editor.state.tr), place.pos, image))
  }
  const send = async (upload_: Upload): Promise<void> => {
    const { file, original, controller } = upload_
    const { signal } = controller
    const progress = showProgress(upload_)
    try {
      const small = await shrink(file, original)
      signal.throwIfAborted()
      const onProgress = (share: number) => {
        progress.value = share
      }
      const stored = await upload(files.create, small, { signal, onProgress })
      if (signal.aborted || editor.isDestroyed) return
      keepBlob(stored.id, small)
      uploads.splice(uploads.indexOf(upload_), 1)
      arrive(upload_, stored)
    } catch (failure) {
      if (signal.aborted) return
      if (failure instanceof PictureRefused) {
        drop(upload_)
        onRefused(failure.message)
      } else showFailure(upload_, failure)
    }
    report()
  }
  /** Sends what waits. */
  const run = async (): Promise<void> => {
    if (running) return
    running = true
    for (;;) {
      const next = uploads.find(({ failed }) => !failed)
      if (!next || editor.isDestroyed) break
      await send(next)
    }
    running = false
  }

  editor.registerPlugin(plugin)
  editor.on('destroy', () => {
    for (const { controller } of uploads) controller.abort()
    uploads.length = 0
    report()
  })

  return {
    /** Takes files at a position. */
    add: (chosen: readonly File[], pos: number, original: boolean): void => {
      const added = chosen.map((file): Upload => {
        last += 1
        const element = document.createElement('span')
        element.className = classes.upload ?? ''
        element.contentEditable = 'false'
        return { id: last, file, original, element, controller: new AbortController(), failed: false }
      })
      uploads.push(...added)
      for (const upload of added) showProgress(upload)
      change({ added: added.map(({ id, element }) => ({ id, pos, element })) })
      report()
      void run()
    },
  }
}
