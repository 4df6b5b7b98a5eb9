/** Copies a text to the clipboard, also one that is still being made; returns whether that worked. */
export async function copyText(text: string | Promise<string>): Promise<boolean> {
  try {
    if (!('clipboard' in navigator)) return copySelection(await text)
    if (typeof text === 'string') await navigator.clipboard.writeText(text)
    else if ('ClipboardItem' in window) {
      // Safari takes nothing once a press is over, but during it also what is yet to come.
      const blob = text.then((text) => new Blob([text], { type: 'text/plain' }))
      await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
    } else await navigator.clipboard.writeText(await text)
    return true
  } catch {
    return false
  }
}

/** Over plain http browsers have execCommand only. */
function copySelection(text: string): boolean {
  const before = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.style.position = 'fixed'
  document.body.append(field)
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  return copied
}
