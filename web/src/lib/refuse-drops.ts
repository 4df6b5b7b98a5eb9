/*
 * A file that nothing on the page takes would open in its place, and so would a link outside of a field.
 */

const refuse = (event: DragEvent): void => {
  const types = String(event.dataTransfer?.types)
  const isField = event.target instanceof Element && event.target.closest('input,textarea,[contenteditable]')
  // Where a picture or a link of another page is dropped on a field, the browser writes its address into it.
  if (event.defaultPrevented || (isField ? /plain|uri/ : /^(?!.*(?:Files|uri))/).test(types)) return
  event.preventDefault()
  if (event.dataTransfer) event.dataTransfer.dropEffect = 'none'
}

// Last of all that listen, whenever they began to.
for (const type of ['dragover', 'drop'] as const)
  addEventListener(type, () => addEventListener(type, refuse, { once: true }), true)
