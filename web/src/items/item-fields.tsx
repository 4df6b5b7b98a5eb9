import { Stack, TextInput, type TextInputProps } from '@mantine/core'
import type { ChangeEvent, ComponentProps } from 'react'
import type { useForm } from '../lib/use-form.ts'
import { t } from '../text/text.ts'
import { RichTextField } from '../ui/rich-text-field.tsx'
import { TagsField } from '../ui/tags-field.tsx'
import { type ItemField, type ItemValues, namesOf, textOf } from './item-kind.ts'
import { useTagSuggestions } from './use-tag-suggestions.ts'

type ItemForm = Pick<ReturnType<typeof useForm<ItemValues, unknown>>, 'values' | 'set' | 'touch' | 'errorOf'>

interface ItemFieldsProps {
  fields: ItemField[]
  form: ItemForm
  /** A save is under way: what is typed now would be in no save and in no draft. */
  frozen: boolean
}

/** The inputs of an item's form, in the order of its kind. */
export function ItemFields({ fields, form, frozen }: ItemFieldsProps) {
  return (
    <Stack gap="md" inert={frozen}>
      {fields.map((field) => (
        <FieldInput key={field.name} field={field} form={form} />
      ))}
    </Stack>
  )
}

function FieldInput({ field, form }: { field: ItemField; form: ItemForm }) {
  const { values, set, touch, errorOf } = form
  const { name } = field
  const value = values[name]
  const shared = { label: t(field.label), error: errorOf(name), onBlur: () => touch(name) }
  const line = {
    value: textOf(value),
    onChange: (event: ChangeEvent<HTMLInputElement>) => set(name, event.currentTarget.value),
  }
  const setTags = (names: string[]) => {
    set(name, names)
    // Each is whole once it is a chip: what is wrong with one is said at once.
    touch(name)
  }
  switch (field.input) {
    case 'line':
      return <TextInput {...shared} {...line} dir="auto" required />
    case 'address':
      return <AddressInput {...shared} {...line} required />
    case 'text':
      return <RichTextField {...shared} required value={textOf(value)} onChange={(html) => set(name, html)} />
    case 'tags':
      return <TagNames {...shared} value={namesOf(value)} onChange={setTags} />
  }
}

type TagNamesProps = Pick<
  ComponentProps<typeof TagsField>,
  'label' | 'error' | 'onBlur' | 'value' | 'onChange'
>

/** The tags field with the user's own tags to choose from. */
function TagNames(props: TagNamesProps) {
  return <TagsField {...props} {...useTagSuggestions()} />
}

/** A link's URL. Its `rightSection` is the place of the button that reads the page. */
function AddressInput(props: TextInputProps) {
  return <TextInput type="url" inputMode="url" autoComplete="off" placeholder="https://" {...props} />
}
