import type { Tag } from '@kopilka/contract/tags.ts'
import { Group, Stack, Text, Title } from '@mantine/core'
import { t } from '../messages/main-messages.ts'
import { ButtonLink } from '../navigation/router-links.tsx'
import { EditIcon } from '../ui/icons.tsx'
import { DeleteTagButton } from './delete-tag-button.tsx'
import { MergeTagButton } from './merge-tag-button.tsx'

/** A tag's name, totals and actions; without the tag only the given name. */
export const TagHeader = ({ name, tag }: { name: string; tag: Tag | undefined }) => (
  <Group justify="space-between" align="start">
    <Stack gap={4} miw={0}>
      <Title order={1} size="h2" tabIndex={-1} dir="auto" style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Title>
      <Text c="dimmed" size="sm" mih="1lh">
        {tag && t('tags.totals', { notes: tag.notes_count, links: tag.urllinks_count })}
      </Text>
    </Stack>
    {tag && (
      // Another tag's page may follow without a new mount: dialogs of this one must not stay open over it.
      <Group key={tag.id} gap="sm">
        <ButtonLink
          to="/tags/$id/edit"
          params={{ id: tag.id }}
          state={{ openedOnItem: true }}
          leftSection={<EditIcon size={18} />}
          aria-keyshortcuts="E"
        >
          {t('items.edit')}
        </ButtonLink>
        <MergeTagButton tag={tag} />
        <DeleteTagButton id={tag.id} />
      </Group>
    )}
  </Group>
)
