import { bulk } from '@kopilka/contract/bulk.ts'
import { Menu } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { refreshAll } from '../api/cache.ts'
import { callWithEtag } from '../api/call.ts'
import { copyText } from '../lib/copy-text.ts'
import { t } from '../messages/lazy-messages.ts'
import { CopyIcon, HistoryIcon, PinIcon, PrintIcon } from '../ui/icons.tsx'
import type { MenuButtonLook } from '../ui/menu-button.tsx'
import { OpenedMenu } from '../ui/opened-menu.tsx'
import { showMessage } from '../ui/snackbar.ts'
import { undoable } from '../undo/undoable.ts'
import type { Item, ItemKind } from './item-kind.ts'

interface ItemMenuProps extends MenuButtonLook {
  kind: ItemKind
  item: Item
}

const copyMarkdown = async (item: Item): Promise<void> => {
  const copied = await copyText(import('./item-markdown.ts').then(({ itemMarkdown }) => itemMarkdown(item)))
  showMessage(t(copied ? 'items.markdownCopied' : 'items.copyFailure'), copied ? 'success' : 'error')
}

/** Prints the page once its pictures have loaded, which else happens when they come near the screen. */
const print = async (): Promise<void> => {
  if (document.querySelector('main img[data-file]'))
    await import('../pictures/stored-picture.ts')
      .then(({ loadAllPictures }) => loadAllPictures())
      .catch(() => {})
  window.print()
}

/** What one can do to an item besides. */
export function ItemMenu({ kind, item, ...look }: ItemMenuProps) {
  const { id, pinned } = item
  const queryClient = useQueryClient()
  const pin = useMutation({
    meta: { failure: pinned ? 'items.unpinFailure' : 'items.pinFailure' },
    mutationFn: (pinned: boolean) => callWithEtag(bulk.change, { body: { ids: [id], pinned } }),
    onSuccess: async ({ operation }, pinned) => {
      await refreshAll(queryClient)
      showMessage(t(pinned ? 'items.pinned' : 'items.unpinned'), 'success', undoable(queryClient, operation))
    },
  })
  return (
    <OpenedMenu {...look}>
      <Menu.Item leftSection={<PinIcon size={18} />} onClick={() => pin.mutate(!pinned)}>
        {t(pinned ? 'items.menu.unpin' : 'items.menu.pin')}
      </Menu.Item>
      <Menu.Item
        leftSection={<HistoryIcon size={18} />}
        renderRoot={(props) => <Link to={kind.paths.versions} params={{ id }} {...props} />}
      >
        {t('title.versions')}
      </Menu.Item>
      <Menu.Item leftSection={<CopyIcon size={18} />} onClick={() => void copyMarkdown(item)}>
        {t('items.copyMarkdown')}
      </Menu.Item>
      <Menu.Item leftSection={<PrintIcon size={18} />} onClick={() => void print()}>
        {t('items.print')}
      </Menu.Item>
    </OpenedMenu>
  )
}
