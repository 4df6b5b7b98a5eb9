import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { t } from '../messages/editor-messages.ts'
import { Dialog } from '../ui/dialog.tsx'
import { type ItemField, type ItemKind, type ItemValues, namesOf } from './item-kind.ts'
import { ItemVersion } from './item-version.tsx'
import { tagsForCopy } from './new-item-tags.ts'

interface ConflictDialogProps {
  textPrefix: ItemKind['textPrefix']
  fields: readonly ItemField[]
  theirs: ItemValues
  mine: ItemValues
  /** The tags that the form began with, which `mine` changes; absent where it has those that it is saved with. */
  tagsBefore?: readonly string[]
  busy: boolean
  onTheirs: () => void
  onMine: () => void
  /** Theirs stays, mine is added as a new item. */
  onBoth: () => void
  onClose: () => void
}

/** Shows both versions of an item that was changed twice, and lets the user choose. Closing it changes nothing. */
export function ConflictDialog(props: ConflictDialogProps) {
  const { textPrefix, fields, theirs, mine, tagsBefore, busy, onTheirs, onMine, onBoth, onClose } = props
  // As either choice that keeps this version saves them.
  const tags = tagsBefore ? tagsForCopy(namesOf(mine.tags), tagsBefore, namesOf(theirs.tags)) : mine.tags
  return (
    <Dialog opened onClose={onClose} title={t(`${textPrefix}.conflict`)} width={960}>
      <Stack>
        <Text size="sm">{t(`${textPrefix}.conflict.text`)}</Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <ItemVersion name={t('items.conflict.theirs')} fields={fields} values={theirs} />
          <ItemVersion name={t('items.conflict.mine')} fields={fields} values={{ ...mine, tags }} />
        </SimpleGrid>
        <Group justify="flex-end">
          <Button variant="subtle" onClick={onClose} disabled={busy} data-autofocus>
            {t('items.conflict.back')}
          </Button>
          <Button variant="default" onClick={onTheirs} disabled={busy}>
            {t('items.conflict.keepTheirs')}
          </Button>
          <Button variant="default" onClick={onBoth} disabled={busy}>
            {t('items.conflict.keepBoth')}
          </Button>
          <Button onClick={onMine} loading={busy}>
            {t('items.conflict.keepMine')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
