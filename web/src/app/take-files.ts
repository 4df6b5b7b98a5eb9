import { offerFile } from '../data/uploads.ts'
import { t } from '../messages/lazy-messages.ts'
import { showMessage } from '../ui/snackbar.ts'

/** Leaves a file to the screen «Данные», where a file with addresses or notes is looked at before anything is saved. */
export const takeFiles = (files: readonly File[], openImports: () => Promise<void>): void => {
  const [file] = files
  if (file === undefined || files.length > 1) showMessage(t('quickAdd.oneFile'), 'error')
  else if (/^(?:image|video|audio)\//.test(file.type)) showMessage(t('quickAdd.wrongFile'), 'error')
  else {
    offerFile(file)
    void openImports()
  }
}
