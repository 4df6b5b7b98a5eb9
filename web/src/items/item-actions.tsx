import { Button, Group } from '@mantine/core'
import type { RefObject } from 'react'
import { copyText } from '../lib/copy-text.ts'
import { type MainMessageId, t } from '../messages/main-messages.ts'
import { ButtonLink } from '../navigation/router-links.tsx'
import { visibleText } from '../ui/html-view.tsx'
import { CopyIcon, EditIcon, LinkIcon, MoreIcon } from '../ui/icons.tsx'
import { lazy } from '../ui/lazy.tsx'
import { MenuButton } from '../ui/menu-button.tsx'
import { showMessage } from '../ui/snackbar.ts'
import { DeleteItemButton } from './delete-item-button.tsx'
import { addressOf, type Item, type ItemKind } from './item-kind.ts'

const ItemMenu = lazy(() => import('./item-menu.tsx'), 'ItemMenu')

interface ItemActionsProps {
  kind: ItemKind
  item: Item
  /** Where its text is on the page. */
  body: RefObject<HTMLElement | null>
}

const copy = async (text: string, done: MainMessageId): Promise<void> => {
  const copied = await copyText(text)
  showMessage(t(copied ? done : 'items.copyFailure'), copied ? 'success' : 'error')
}

const QUIET = { variant: 'subtle', color: 'gray', fw: 500, px: 'xs' } as const

/** The actions of an item. The address copied is a link's web page, a note's own screen. */
export const ItemActions = ({ kind, item, body }: ItemActionsProps) => (
  <Group gap="xs" data-screen-only>
    <ButtonLink
      to={kind.paths.edit}
      params={{ id: item.id }}
      state={{ openedOnItem: true }}
      leftSection={<EditIcon size={18} />}
      aria-keyshortcuts="E"
    >
      {t('items.edit')}
    </ButtonLink>
    <DeleteItemButton kind={kind} id={item.id} />
    <Button
      {...QUIET}
      leftSection={<CopyIcon size={18} />}
      onClick={() => void copy(body.current ? visibleText(body.current) : '', 'items.textCopied')}
    >
      {t('items.copyText')}
    </Button>
    <Button
      {...QUIET}
      leftSection={<LinkIcon size={18} />}
      onClick={() => void copy(addressOf(item) ?? window.location.href, 'items.linkCopied')}
    >
      {t('items.copyLink')}
    </Button>
    <MenuButton label={t('items.more')} icon={<MoreIcon />} Menu={ItemMenu} kind={kind} item={item} />
  </Group>
)
