import { Button, Group, Switch } from '@mantine/core'
import { useState } from 'react'
import { setSingleKeys, singleKeysWork } from '../lib/keys.ts'
import { type LazyMessageId, t } from '../messages/lazy-messages.ts'
import { useBackCloses } from '../navigation/use-back-closes.ts'
import { Dialog, type OverlayProps } from '../ui/dialog.tsx'
import classes from './help-dialog.module.css'
import { type Shortcut, withCtrl } from './shortcuts.ts'

const SHORTCUTS: {
  shortcut: Shortcut | 'open' | 'select' | 'all' | 'remove' | 'leave' | 'tools'
  keys: string[][]
  does: LazyMessageId
}[] = [
  { shortcut: 'palette', keys: [withCtrl('K')], does: 'help.palette' },
  { shortcut: 'save', keys: [withCtrl('Enter'), withCtrl('S')], does: 'help.save' },
  { shortcut: 'tools', keys: [['Alt', 'F10']], does: 'help.tools' },
  { shortcut: 'undo', keys: [withCtrl('Z')], does: 'help.undo' },
  { shortcut: 'search', keys: [['/']], does: 'help.search' },
  { shortcut: 'note', keys: [['N']], does: 'layout.actions.newNote' },
  { shortcut: 'link', keys: [['L']], does: 'layout.actions.newLink' },
  { shortcut: 'add', keys: [['A'], withCtrl('V')], does: 'quickAdd.title' },
  { shortcut: 'next', keys: [['J']], does: 'help.next' },
  { shortcut: 'previous', keys: [['K']], does: 'help.previous' },
  { shortcut: 'open', keys: [['Enter']], does: 'help.open' },
  { shortcut: 'edit', keys: [['E']], does: 'help.edit' },
  { shortcut: 'select', keys: [['X']], does: 'help.select' },
  { shortcut: 'all', keys: [withCtrl('A')], does: 'help.all' },
  { shortcut: 'remove', keys: [['Delete']], does: 'help.remove' },
  { shortcut: 'leave', keys: [['Esc']], does: 'selection.leave' },
  { shortcut: 'help', keys: [['?']], does: 'help.help' },
]

/** The dialog of keyboard shortcuts, with the switch for those without Ctrl. */
export function HelpDialog({ opened, onClose }: OverlayProps) {
  useBackCloses(opened, onClose)
  const [work, setWork] = useState(singleKeysWork)
  return (
    <Dialog opened={opened} title={t('help.title')} width={480} onClose={onClose}>
      <dl className={classes.keys}>
        {SHORTCUTS.map(({ shortcut, keys, does }) => (
          <div key={shortcut}>
            <dt>
              {keys.map((pressed) => (
                <span key={pressed.join()}>
                  {pressed.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </span>
              ))}
            </dt>
            <dd>{t(does)}</dd>
          </div>
        ))}
      </dl>
      <Switch
        mt="lg"
        label={t('help.singleKeys')}
        description={t('help.singleKeys.about')}
        checked={work}
        onChange={({ currentTarget: { checked } }) => {
          setWork(checked)
          setSingleKeys(checked)
        }}
      />
      <Group justify="flex-end" mt="lg">
        <Button onClick={onClose} data-autofocus>
          {t('snackbar.close')}
        </Button>
      </Group>
    </Dialog>
  )
}
