import { Button, Group, Switch } from '@mantine/core'
import { useState } from 'react'
import { type MessageId, t } from '../messages/messages.ts'
import { Dialog, type OverlayProps } from '../ui/dialog.tsx'
import classes from './help-dialog.module.css'
import { paletteKeys, type Shortcut, setSingleKeys, singleKeysWork } from './shortcuts.ts'

const SHORTCUTS: { shortcut: Shortcut; keys: string[]; does: MessageId }[] = [
  { shortcut: 'palette', keys: paletteKeys(), does: 'help.palette' },
  { shortcut: 'search', keys: ['/'], does: 'help.search' },
  { shortcut: 'note', keys: ['N'], does: 'layout.actions.newNote' },
  { shortcut: 'link', keys: ['L'], does: 'layout.actions.newLink' },
  { shortcut: 'help', keys: ['?'], does: 'help.help' },
]

/** What the keys do, and whether those without Ctrl do it. */
export function HelpDialog({ opened, onClose }: OverlayProps) {
  const [work, setWork] = useState(singleKeysWork)
  return (
    <Dialog opened={opened} title={t('help.title')} width={480} onClose={onClose}>
      <dl className={classes.keys}>
        {SHORTCUTS.map(({ shortcut, keys, does }) => (
          <div key={shortcut}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
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
