import type { Tag } from '@kopilka/contract/tags.ts'
import { Paper } from '@mantine/core'
import { memo } from 'react'
import { t } from '../messages/main-messages.ts'
import { useTagAnchors } from '../navigation/use-tag-anchors.ts'
import { SelectBox } from '../selection/select-box.tsx'
import { InfoIcon } from '../ui/icons.tsx'
import classes from './tag-rows.module.css'

/** A list of tags, thousands perhaps: plain elements, because each of Mantine's computes its styles. */
export const TagRows = memo(function TagRows({ tags }: { tags: Tag[] }) {
  const tagAnchors = useTagAnchors()
  return (
    <Paper withBorder component="ul" className={classes.rows}>
      {tags.map(({ id, name, notes_count, urllinks_count }) => (
        <li key={id} data-row className={classes.row}>
          <div>
            <div className={classes.name} dir="auto">
              {name}
            </div>
            <div className={classes.totals}>
              {t('tags.totals', { notes: notes_count, links: urllinks_count })}
            </div>
          </div>
          <a
            href={`/tags/${id}`}
            {...tagAnchors}
            className={classes.open}
            aria-label={t('tags.open', { name })}
          >
            <InfoIcon />
          </a>
          <SelectBox id={id} name={name} />
        </li>
      ))}
    </Paper>
  )
})
