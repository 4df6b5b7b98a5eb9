import { offerFile } from '../data/uploads.ts'
import { t } from '../messages/lazy-messages.ts'
import { showMessage } from '../ui/snackbar.ts'
import type { AppRouter } from './router.tsx'

/** Leads to the screen «Данные», where a file with addresses or notes is looked at before anything is saved. */
export const takeFiles = async (router: AppRouter, files: readonly File[]): Promise<void> => {
  const [file] = files
  if (file === undefined || files.length > 1) return showMessage(t('quickAdd.oneFile'), 'error')
  if (/^(?:image|video|audio)\//.test(file.type)) return showMessage(t('quickAdd.wrongFile'), 'error')
  offerFile(file)
  await router.navigate({ to: '/profile/data' })
}
