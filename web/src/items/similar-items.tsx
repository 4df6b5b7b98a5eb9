import type { SimilarItem } from '@kopilka/contract/items.ts'
import { Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { similarQuery } from '../api/queries.ts'
import { t } from '../messages/main-messages.ts'
import { AnchorLink } from '../navigation/router-links.tsx'
import type { ItemKind } from './item-kind.ts'
import { linkKind } from './link-kind.ts'
import { noteKind } from './note-kind.ts'
import classes from './similar-items.module.css'

interface SimilarItemsProps {
  kind: ItemKind
  id: string
}

const KINDS: Readonly<Record<SimilarItem['kind'], ItemKind>> = { note: noteKind, urllink: linkKind }

/** The items that are like this one, under it; nothing while they load and where there are none. */
export function SimilarItems({ kind, id }: SimilarItemsProps) {
  const heading = useId()
  const { data } = useQuery(similarQuery(kind, id))
  if (!data || data.results.length === 0) return null
  return (
    <Stack component="section" gap="xs" aria-labelledby={heading} data-screen-only>
      <Title order={2} size="h3" id={heading}>
        {t('items.similar')}
      </Title>
      <Paper withBorder component="ul" className={classes.list}>
        {data.results.map((item) => (
          <SimilarRow key={item.id} item={item} />
        ))}
      </Paper>
    </Stack>
  )
}

function SimilarRow({ item: { kind, id, title, excerpt } }: { item: SimilarItem }) {
  const { Icon, paths } = KINDS[kind]
  return (
    <li className={classes.row}>
      <Icon size={18} />
      <div className={classes.text}>
        <AnchorLink to={paths.item} params={{ id }} dir="auto" className={classes.title}>
          {title}
        </AnchorLink>
        {excerpt !== '' && (
          <Text size="sm" c="dimmed" dir="auto" truncate>
            {excerpt}
          </Text>
        )}
      </div>
    </li>
  )
}
