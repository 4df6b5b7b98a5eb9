import { tagNameKey } from '@kopilka/contract/fields.ts'
import type { TagRef } from '@kopilka/contract/items.ts'
import { Stack, TextInput } from '@mantine/core'
import type { ComponentProps } from 'react'
import type { useForm } from '../forms/use-form.ts'
import type { Shape } from '../forms/validator.ts'
import { t } from '../messages/main-messages.ts'
import type { Uploads } from '../pictures/editor-uploads.ts'
import { ownDirection } from '../ui/own-direction.ts'
import { RichTextField } from '../ui/rich-text-field.tsx'
import { TagsField } from '../ui/tags-field.tsx'
import { AddressField } from './address-field.tsx'
import { type ItemField, type ItemValues, namesOf, textOf } from './item-kind.ts'
import { namesWithout } from './names-without.ts'
import { useTagSuggestions } from './use-tag-suggestions.ts'

type ItemForm = Pick<
  ReturnType<typeof useForm<Shape, ItemValues>>,
  'values' | 'set' | 'fillBlank' | 'blank' | 'touch' | 'errorOf'
>

interface ItemFieldsProps {
  fields: readonly ItemField[]
  form: ItemForm
  /** A save is under way: text typed now would be in no save and in no draft. */
  frozen: boolean
  /** The form began with what another program or page handed over. */
  given: boolean
  /** The item that is edited; absent where one is added. */
  ownId: string | undefined
  /** Called as the names of tags change, with those that exist of the added ones. */
  onTagsPicked: (tags: TagRef[], names: string[]) => void
  /** Called when the number of pictures on their way into a text changes. */
  onUploads: (uploads: Uploads) => void
}

/** The inputs of an item's form, in the order of its kind. */
export function ItemFields({ fields, frozen, ...rest }: ItemFieldsProps) {
  return (
    <Stack gap="md" inert={frozen}>
      {fields.map((field) => (
        <FieldInput key={field.name} field={field} {...rest} />
      ))}
    </Stack>
  )
}

function FieldInput({
  field,
  form,
  given,
  ownId,
  onUploads,
  onTagsPicked,
}: Omit<ItemFieldsProps, 'fields' | 'frozen'> & { field: ItemField }) {
  const { values, set, touch, errorOf } = form
  const { name } = field
  const value = values[name]
  const shared = { label: t(field.label), error: errorOf(name), onBlur: () => touch(name) }
  const text = { value: textOf(value), onChange: (typed: string) => set(name, typed) }
  const setTags = (names: string[]) => {
    set(name, names)
    // A chip is complete: its error shows at once.
    touch(name)
  }
  switch (field.input) {
    case 'line':
      return (
        <TextInput
          {...shared}
          {...text}
          onChange={(event) => text.onChange(event.currentTarget.value)}
          attributes={ownDirection}
          required
        />
      )
    case 'address':
      return (
        <AddressField
          {...shared}
          {...text}
          othersAreBlank={
            form.blank.filter((other) => other !== name).length === Object.keys(values).length - 1
          }
          ownId={ownId}
          readAtOnce={given && form.blank.length > 0}
          onRead={form.fillBlank}
        />
      )
    case 'text':
      return <RichTextField {...shared} {...text} required onUploads={onUploads} />
    case 'tags':
      return <TagNames {...shared} value={namesOf(value)} onChange={setTags} onPicked={onTagsPicked} />
  }
}

interface TagNamesProps
  extends Pick<ComponentProps<typeof TagsField>, 'label' | 'error' | 'onBlur' | 'value' | 'onChange'> {
  onPicked: (tags: TagRef[], names: string[]) => void
}

/** The tags field with the user's own tags to choose from. */
function TagNames({ onPicked, ...props }: TagNamesProps) {
  const { found, ...suggestions } = useTagSuggestions()
  const change = (names: string[]) => {
    const keys = new Set(namesWithout(names, props.value).map(tagNameKey))
    const picked = found.filter(({ name }) => keys.has(tagNameKey(name)))
    onPicked(
      picked.map(({ id, name }) => ({ id, name })),
      names,
    )
    props.onChange(names)
  }
  return <TagsField {...props} {...suggestions} onChange={change} />
}
