import type { Page } from '@playwright/test'

/** The rich text of the form that is open. */
export const editorOf = (page: Page) => page.getByRole('textbox', { name: 'Содержание' })

/** Puts formats on the clipboard as a program would, by their media types, and pastes them into the text. */
export async function paste(page: Page, formats: Record<string, string>, keys = 'Control+V'): Promise<void> {
  await page.evaluate((formats) => {
    const fill = (event: ClipboardEvent) => {
      // The editor has put its selection there.
      event.clipboardData?.clearData()
      for (const [format, text] of Object.entries(formats)) event.clipboardData?.setData(format, text)
      event.preventDefault()
    }
    document.addEventListener('copy', fill, { once: true })
    document.execCommand('copy')
  }, formats)
  await editorOf(page).focus()
  await page.keyboard.press(keys)
}
