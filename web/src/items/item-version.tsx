import { Paper, Text } from '@mantine/core'
import { useId } from 'react'
import { t } from '../messages/editor-messages.ts'
import { HtmlView } from '../ui/html-view.tsx'
import { type ItemField, type ItemValues, namesOf, textOf } from './item-kind.ts'
import classes from './item-version.module.css'

interface ItemVersionProps {
  name: string
  fields: readonly ItemField[]
  values: ItemValues
}

/** One of two versions to choose between. */
export function ItemVersion({ name, fields, values }: ItemVersionProps) {
  const id = useId()
  return (
    <Paper withBorder component="section" aria-labelledby={id} p="md" miw={0}>
      <Text fw={600} id={id}>
        {name}
      </Text>
      <dl className={classes.fields}>
        {fields.map((field) => (
          <div key={field.name}>
            <dt>{t(field.label)}</dt>
            <dd>
              <FieldValue field={field} values={values} />
            </dd>
          </div>
        ))}
      </dl>
    </Paper>
  )
}

function FieldValue({ field, values }: { field: ItemField; values: ItemValues }) {
  const value = values[field.name]
  if (field.input === 'text') return <HtmlView html={textOf(value)} />
  if (field.input === 'tags') return namesOf(value).join(', ') || t('items.conflict.noTags')
  return textOf(value)
}
