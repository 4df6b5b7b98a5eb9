import { watchSession } from '../api/session.ts'
import { offerFile } from '../data/uploads.ts'
import { t } from '../messages/lazy-messages.ts'
import { t as ofPictures } from '../messages/pictures-messages.ts'
import { forgetOffered, isPictureFile, offerPictures } from '../ui/offered-pictures.ts'
import { showMessage } from '../ui/snackbar.ts'

watchSession({ ended: forgetOffered, replaced: forgetOffered, renewed: () => undefined })

interface Screens {
  openImports: () => Promise<void>
  openNewNote: () => Promise<void>
}

/** Whether the form that is open is being saved: what came into it now would be in no save and in no draft. */
const isSaving = (): boolean => document.querySelector('main form [inert]') !== null

/**
 * Leaves pictures to the form that is open, else to that of a new note; any other file to the screen «Данные», where it is
 * looked at before anything is saved.
 */
export const takeFiles = (files: File[], { openImports, openNewNote }: Screens): void => {
  const [file] = files
  if (file && files.every(isPictureFile)) {
    if (isSaving()) showMessage(ofPictures('pictures.saving'), 'error')
    else if (!offerPictures(files)) void openNewNote()
  } else if (file === undefined || files.length > 1) showMessage(t('quickAdd.oneFile'), 'error')
  else if (/^(?:video|audio)\//.test(file.type)) showMessage(t('quickAdd.wrongFile'), 'error')
  else {
    offerFile(file)
    void openImports()
  }
}
