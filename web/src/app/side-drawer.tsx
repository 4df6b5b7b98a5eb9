import { Drawer } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { trashQuery } from '../api/history-queries.ts'
import { meQuery } from '../api/queries.ts'
import { useFocusBack } from '../lib/use-focus-back.ts'
import { t } from '../messages/lazy-messages.ts'
import { useBackCloses } from '../navigation/use-back-closes.ts'
import type { OverlayProps } from '../ui/dialog.tsx'
import { HomeIcon, LinkIcon, NoteIcon, TagIcon, TrashIcon, UserIcon } from '../ui/icons.tsx'
import { DrawerTags } from './drawer-tags.tsx'
import classes from './side-drawer.module.css'

const SECTIONS = [
  { to: '/home', name: 'layout.nav.home', Icon: HomeIcon },
  { to: '/notes', name: 'layout.nav.notes', Icon: NoteIcon },
  { to: '/url-links', name: 'layout.nav.links', Icon: LinkIcon },
  { to: '/tags', name: 'layout.nav.tags', Icon: TagIcon },
] as const

/** The temporary drawer at the side: who is signed in, the sections, every tag. */
export function SideDrawer({ opened, onClose }: OverlayProps) {
  useFocusBack(opened)
  useBackCloses(opened, onClose)
  const hasTrash = useHasTrash(opened)
  return (
    <Drawer.Root opened={opened} onClose={onClose} returnFocus={false} size={360}>
      <Drawer.Overlay />
      <Drawer.Content>
        <Drawer.Body className={classes.body ?? ''}>
          <div className={classes.top}>
            <Drawer.Title className={classes.title ?? ''}>{t('layout.menu.title')}</Drawer.Title>
            <Drawer.CloseButton size="lg" aria-label={t('layout.menu.close')} />
          </div>
          <Me onLeave={onClose} />
          <nav aria-label={t('layout.nav.label')} className={classes.sections}>
            {SECTIONS.map(({ to, name, Icon }) => (
              <Link key={to} to={to} className={classes.section ?? ''} onClick={onClose}>
                <Icon />
                {t(name)}
              </Link>
            ))}
            {hasTrash && (
              <Link to="/trash" className={classes.section ?? ''} onClick={onClose}>
                <TrashIcon />
                {t('title.trash')}
              </Link>
            )}
          </nav>
          <DrawerTags onLeave={onClose} />
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  )
}

/** The key of local storage for the id of the user who has had something in the trash: others do not see its link. */
const TRASH_USED = 'trash_used_by'

/** Whether there is, or has been in this browser, something in the user's trash. */
const useHasTrash = (opened: boolean): boolean => {
  const { data: me } = useQuery(meQuery)
  const { data: trash } = useQuery({ ...trashQuery({}), enabled: opened, meta: { failure: 'screen' } })
  const isUsed = trash !== undefined && trash.count > 0
  useEffect(() => {
    if (isUsed && me) localStorage.setItem(TRASH_USED, me.id)
  }, [isUsed, me])
  return isUsed || (me !== undefined && localStorage.getItem(TRASH_USED) === me.id)
}

function Me({ onLeave }: { onLeave: () => void }) {
  const { data: me } = useQuery(meQuery)
  return (
    <Link to="/profile" className={classes.me ?? ''} onClick={onLeave}>
      <UserIcon size={24} />
      <span className={classes.who}>
        <span className={classes.name}>{me && `${me.last_name} ${me.first_name}`}</span>
        <span className={classes.email}>{me?.email}</span>
      </span>
    </Link>
  )
}
