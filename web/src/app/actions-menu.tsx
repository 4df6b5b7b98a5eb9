import { Menu } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { mayHaveCopy } from '../api/copy-session.ts'
import { readWaiting } from '../api/offline.ts'
import { signOutDurably } from '../api/sign-out.ts'
import { t } from '../messages/lazy-messages.ts'
import { LinkIcon, LogoutIcon, NoteIcon } from '../ui/icons.tsx'
import type { MenuButtonLook } from '../ui/menu-button.tsx'
import { OpenedMenu } from '../ui/opened-menu.tsx'
import { showMessage } from '../ui/snackbar.ts'

/** Signs out, but asks first where something would be lost without a word. */
const leave = async (): Promise<void> => {
  const kept = readWaiting()
  // Without a copy nothing waits: then it goes without this module, which loads those of drafts and of the copy.
  const losses =
    kept.pictures > 0 || mayHaveCopy()
      ? await import('./sign-out-losses.ts').catch(() => undefined)
      : undefined
  const { changes, pictures } = (await losses?.signOutLosses()) ?? kept
  const ask = (text: string) =>
    showMessage(text, 'error', {
      action: { label: t('layout.actions.logout'), run: () => void signOutDurably() },
    })
  if (changes > 0 && pictures > 0) ask(t('layout.signOutLosesBoth', { changes, pictures }))
  else if (changes > 0) ask(t('layout.signOutLoses', { count: changes }))
  else if (pictures > 0) ask(t('layout.signOutLosesPictures', { count: pictures }))
  else await signOutDurably()
}

/** The menu of the top bar: add a note, add a link, sign out. */
export const ActionsMenu = (look: MenuButtonLook) => (
  <OpenedMenu {...look}>
    <Menu.Item
      leftSection={<NoteIcon size={18} />}
      renderRoot={(props) => <Link to="/notes/add" {...props} />}
    >
      {t('layout.actions.newNote')}
    </Menu.Item>
    <Menu.Item
      leftSection={<LinkIcon size={18} />}
      renderRoot={(props) => <Link to="/urllinks/add" {...props} />}
    >
      {t('layout.actions.newLink')}
    </Menu.Item>
    <Menu.Divider />
    <Menu.Item leftSection={<LogoutIcon size={18} />} onClick={() => void leave()}>
      {t('layout.actions.logout')}
    </Menu.Item>
  </OpenedMenu>
)
