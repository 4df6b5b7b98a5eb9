import { files, type Picture } from '@kopilka/contract/files.ts'
import { closeHistory, redoDepth, undoDepth } from '@tiptap/pm/history'
import type { Attrs, Node as ProseMirrorNode, Slice } from '@tiptap/pm/model'
import { type EditorState, Plugin, PluginKey, TextSelection, type Transaction } from '@tiptap/pm/state'
import { insertPoint } from '@tiptap/pm/transform'
import { Decoration, DecorationSet } from '@tiptap/pm/view'
import type { Editor } from '@tiptap/react'
import { CallFailure } from '../api/failure.ts'
import { failureText } from '../api/failure-text.ts'
import { watchSession } from '../api/session.ts'
import { upload } from '../api/upload.ts'
import { keepPictureOffline } from '../api/waiting-pictures.ts'
import { isLost, isReachable } from '../lib/network.ts'
import { t } from '../messages/pictures-messages.ts'
import { keepBlob } from './picture-blobs.ts'
import classes from './pictures.module.css'
import { PictureRefused, shrink } from './shrink.ts'

/*
 * Pictures on their way into a text of the editor. Until one has arrived, a decoration stands in its place, which is no part
 * of the document: it is neither saved nor in a draft, and to undo the picture is one step. Undo ends an upload that began after
 * the last change of the text.
 */

/** How many pictures are on their way, and how many of them did not arrive and wait for a decision. */
export interface Uploads {
  uploading: number
  failed: number
}

interface Options {
  /** Called with every change. */
  onChange: (uploads: Uploads) => void
  /** Called with what is to be said about files that can be no pictures of a text. */
  onRefused: (sentence: string) => void
}

/** A picture on its way. */
interface Upload {
  readonly id: number
  readonly file: File
  readonly original: boolean
  /** What the text that it comes from says of it. */
  readonly attributes: Attrs
  readonly element: HTMLElement
  /** How many steps could be undone when it began; undefined where it came with a step, as a picture in pasted HTML does. */
  readonly depth: number | undefined
  controller: AbortController
  failed: boolean
}

/** Selected text that pictures were pasted over. */
export interface Replaced {
  readonly from: number
  readonly to: number
  readonly slice: Slice
}

/** Where in the document a picture will be; `replaced`: the text that goes when it comes. */
interface Place {
  readonly id: number
  readonly pos: number
  readonly element: HTMLElement
  readonly replaced?: Replaced | undefined
}

/** Changes of the places that a transaction carries; `arrived`: it puts the picture of this upload into the text. */
interface Change {
  added?: Place[]
  removed?: number
  arrived?: number
}

const key = new PluginKey<readonly Place[]>('uploads')

/**
 * The position in the document after a transaction. A paragraph that was taken out and put back elsewhere, as those of a table
 * are with every change of its rows and columns, takes the position along.
 */
function mappedPos(tr: Transaction, pos: number, side: 1 | -1): number {
  const mapped = tr.mapping.mapResult(pos, side)
  if (!mapped.deletedAcross) return mapped.pos
  const { parent, parentOffset } = tr.before.resolve(pos)
  let found: number | undefined
  tr.doc.descendants((node, at) => {
    if (node === parent) found = at + 1 + parentOffset
    return found === undefined && !node.isTextblock
  })
  return found ?? mapped.pos
}

const mapReplaced = ({ mapping }: Transaction, { from, to, slice }: Replaced): Replaced => ({
  from: mapping.map(from, 1),
  to: mapping.map(to, -1),
  slice,
})

const withChange = (tr: Transaction, places: readonly Place[]): readonly Place[] => {
  const { added = [], removed, arrived }: Change = tr.getMeta(key) ?? {}
  const moved = places
    .filter(({ id }) => id !== removed && id !== arrived)
    // What is typed comes behind a place; pictures keep their order.
    .map((place) => {
      const side = arrived !== undefined && place.id > arrived ? 1 : -1
      const replaced = place.replaced && mapReplaced(tr, place.replaced)
      return { ...place, pos: mappedPos(tr, place.pos, side), replaced }
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

const isEmptyParagraph = (node: ProseMirrorNode | null): boolean =>
  node?.type.name === 'paragraph' && node.content.size === 0

/**
 * A position, or the one in an empty paragraph beside it, which would stay empty. In code the one behind that: several pictures
 * would come there one before the other.
 */
function placeNear(doc: ProseMirrorNode, pos: number): number {
  const $pos = doc.resolve(pos)
  if ($pos.parent.type.spec.code) return $pos.after()
  if (isEmptyParagraph($pos.nodeBefore)) return pos - 1
  return isEmptyParagraph($pos.nodeAfter) ? pos + 1 : pos
}

/** Deletes the text that a picture replaces, unless it has changed meanwhile; returns where the picture goes. */
function deleteReplaced(tr: Transaction, { pos, replaced }: Place): number {
  if (!replaced) return pos
  const { from, to, slice } = replaced
  // The text may have become shorter before anything followed its changes.
  if (from >= to || to > tr.doc.content.size || !tr.doc.slice(from, to).eq(slice)) return pos
  tr.setSelection(TextSelection.between(tr.doc.resolve(from), tr.doc.resolve(to))).deleteSelection()
  return pos <= to ? tr.selection.from : tr.mapping.map(pos, -1)
}

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

/** Refused files of which each has a sentence of its own; of more the names are said, so many of them. */
const MAX_SENTENCES = 3
const MAX_NAMES = 10

/** What is said about files that were refused one after the other. */
function refusalText(refused: readonly { name: string; sentence: string }[]): string {
  if (refused.length <= MAX_SENTENCES) return refused.map(({ sentence }) => sentence).join(' ')
  const names = refused.slice(0, MAX_NAMES).map(({ name }) => t('pictures.named', { name }))
  const more = refused.length > MAX_NAMES ? ['…'] : []
  return t('pictures.refused', { count: refused.length, names: [...names, ...more].join(', ') })
}

/** The reason why a picture did not arrive; the server says of one that is too large what it takes. */
function reasonOf(failure: unknown): string {
  const reason = failureText(failure, 'pictures.uploadFailure')
  const [more] = failure instanceof CallFailure ? (failure.fields.file ?? []) : []
  return more === undefined ? reason : `${reason} ${more}.`
}

const SIDE = /^[1-9]\d*$/
/** Characters of a description that name a picture without a file. */
const NAME = 60

/** The picture in a `data:` address as a file; undefined where it cannot be read. */
function fileIn(address: string, description: unknown): File | undefined {
  const [head = '', type, base64] = /^\s*data:([^;,]*)[^,]*?(;base64)?,/i.exec(address) ?? []
  try {
    const data = decodeURIComponent(address.slice(head.length))
    if (!base64) return undefined
    const text = atob(data)
    const bytes = new Uint8Array(text.length)
    for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at)
    const name = typeof description === 'string' ? description.trim().slice(0, NAME) : ''
    return new File([bytes], name || t('pictures.enlarged'), { type: type ?? '' })
  } catch {
    return undefined
  }
}

/** Takes files into the text of an editor, one after the other. */
export function createUploads(editor: Editor, { onChange, onRefused }: Options) {
  let uploads: readonly Upload[] = []
  let last = 0
  let running = false
  let refused: { name: string; sentence: string }[] = []

  const change = (change: Change, tr = editor.state.tr): void => {
    if (!editor.isDestroyed) editor.view.dispatch(tr.setMeta(key, change))
  }
  const report = (): void => {
    const failed = uploads.filter((upload) => upload.failed).length
    onChange({ uploading: uploads.length - failed, failed })
  }
  const takeOut = (upload: Upload): void => {
    uploads = uploads.filter((one) => one !== upload)
  }
  const drop = (upload: Upload): void => {
    const hadFocus = upload.element.contains(document.activeElement)
    upload.controller.abort()
    takeOut(upload)
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
    text.textContent = t('pictures.failedNamed', { name: upload.file.name, reason: reasonOf(failure) })
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

  const arrive = ({ id, attributes }: Upload, { url, width, height }: Picture): void => {
    const place = key.getState(editor.state)?.find((place) => place.id === id)
    const isSized = SIDE.test(attributes.width) && SIDE.test(attributes.height)
    const size = isSized ? {} : { width: String(width), height: String(height) }
    const image = editor.schema.nodes.image?.create({ alt: '', ...attributes, ...size, src: url })
    if (!place || !image) return
    const { selection } = editor.state
    const tr = closeHistory(editor.state.tr)
    // A step more to undo would take away what can be redone.
    if (redoDepth(editor.state) > 0) tr.setMeta('addToHistory', false)
    insertPicture(tr, deleteReplaced(tr, place), image)
    change({ arrived: id }, tr.setSelection(selection.map(tr.doc, tr.mapping)))
    // To undo what is typed next does not take back the picture.
    editor.view.dispatch(closeHistory(editor.state.tr))
  }
  const send = async (upload_: Upload): Promise<void> => {
    const { file, original, controller } = upload_
    const { signal } = controller
    const progress = showProgress(upload_)
    try {
      let small = await shrink(file, original)
      signal.throwIfAborted()
      const onProgress = (share: number) => {
        progress.value = share
      }
      const sendSmall = () => upload(files.create, small, { signal, onProgress })
      const sent = () =>
        sendSmall()
          .catch(async (failure) => {
            // Browsers show files without their end as well, which the server takes for cut ones.
            const anew =
              failure instanceof CallFailure && failure.status === 400 && (await shrink(file, original, true))
            if (!anew || anew.size === small.size) throw failure
            small = anew
            return sendSmall()
          })
          .catch(async (failure) => {
            const isUnreachable = failure instanceof CallFailure && failure.isUnreachable && (await isLost())
            const kept = isUnreachable && (await keepPictureOffline(small))
            if (kept) return kept
            throw failure
          })
      // Without a server it waits in this browser, as the text does.
      const stored = (!isReachable() && (await keepPictureOffline(small))) || (await sent())
      if (signal.aborted || editor.isDestroyed) return
      keepBlob(stored.id, small)
      arrive(upload_, stored)
      // Only now: one that could not come into the text is tried again, and what is saved waits for it.
      takeOut(upload_)
    } catch (failure) {
      if (signal.aborted) return
      if (failure instanceof PictureRefused) {
        drop(upload_)
        refused.push({ name: file.name, sentence: failure.message })
      } else showFailure(upload_, failure)
    }
    report()
  }
  /** Sends what waits. */
  const run = async (): Promise<void> => {
    if (running) return
    running = true
    try {
      for (;;) {
        const next = uploads.find(({ failed }) => !failed)
        if (!next || editor.isDestroyed) break
        await send(next)
      }
    } finally {
      running = false
    }
    if (refused.length > 0) onRefused(refusalText(refused))
    refused = []
  }

  /** Drops the latest upload unless the text has changed since it began. */
  const undo = (state: EditorState): boolean => {
    const upload = uploads.at(-1)
    if (!upload || upload.depth === undefined || upload.depth < undoDepth(state)) return false
    drop(upload)
    return true
  }
  const undoing = new Plugin({
    props: {
      handleKeyDown: ({ state }, { key, ctrlKey, metaKey, shiftKey, altKey }) =>
        /^[zя]$/i.test(key) && (ctrlKey || metaKey) && !shiftKey && !altKey && undo(state),
    },
    // The button: the history's own transaction, by the name that ProseMirror gives its key.
    filterTransaction: (tr, state) => tr.getMeta('history$')?.redo !== false || !undo(state),
  })

  editor.registerPlugin(plugin)
  editor.registerPlugin(undoing, (added, others) => [added, ...others])
  const stopWatching = watchSession({
    // Nobody is asked before the form goes. What was typed is in a draft, what is on its way in none.
    ended: (why) => {
      if (why === 'expired' && uploads.length > 0)
        onRefused(t('pictures.sessionEnded', { count: uploads.length }))
    },
    replaced: () => undefined,
    renewed: () => undefined,
  })
  editor.on('destroy', () => {
    stopWatching()
    for (const { controller } of uploads) controller.abort()
    uploads = []
    report()
  })

  const uploadOf = (file: File, original: boolean, attributes?: Attrs): Upload => {
    last += 1
    const element = document.createElement('span')
    element.className = classes.upload ?? ''
    element.contentEditable = 'false'
    const controller = new AbortController()
    const depth = attributes ? undefined : undoDepth(editor.state)
    return {
      id: last,
      file,
      original,
      attributes: attributes ?? {},
      element,
      depth,
      controller,
      failed: false,
    }
  }
  /** Begins uploads; a transaction may come with their places. */
  const begin = (added: readonly Upload[], places: Place[], tr = editor.state.tr): void => {
    uploads = [...uploads, ...added]
    for (const upload of added) showProgress(upload)
    // What is typed next is a step of its own.
    change({ added: places }, closeHistory(tr))
    report()
    void run()
  }

  return {
    /** Takes files at a position; the first one that arrives comes in place of what is `replaced`. */
    add: (files: readonly File[], at: number, original: boolean, replaced?: Replaced): void => {
      const added = files.map((file) => uploadOf(file, original))
      const pos = placeNear(editor.state.doc, at)
      begin(
        added,
        added.map(({ id, element }) => ({ id, pos, element, replaced })),
        editor.state.tr.scrollIntoView(),
      )
    },
    /** Takes those pictures of the text that have one of these addresses, which hold the pictures themselves. */
    replace: (addresses: ReadonlySet<string>, original: boolean): void => {
      const added: Upload[] = []
      const places: Place[] = []
      // To undo what was pasted stays one step.
      const tr = editor.state.tr.setMeta('addToHistory', false)
      editor.state.doc.descendants(({ attrs }, pos) => {
        const file = addresses.has(attrs.src) ? fileIn(attrs.src, attrs.alt) : undefined
        if (!file) return
        const upload = uploadOf(file, original, attrs)
        const at = tr.mapping.map(pos)
        tr.delete(at, at + 1)
        added.push(upload)
        places.push({ id: upload.id, pos: at, element: upload.element })
      })
      begin(added, places, tr)
    },
  }
}
