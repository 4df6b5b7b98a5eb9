import type { FieldMessages } from '@kopilka/contract/errors.ts'
import { type FieldMessageRef, translateField } from '@kopilka/contract/field-messages.ts'
import { type FocusEvent, type FormEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import type * as z from 'zod/mini'
import { rememberFocus } from '../lib/remember-focus.ts'
import { language } from '../messages/language.ts'
import { createValidator, type Shape } from './validator.ts'

/** What the fields hold. */
export type Values<S extends Shape> = { [Name in keyof S]: z.input<S[Name]> }
/** The same as the schemas normalised it. */
export type ValidValues<S extends Shape> = { [Name in keyof S]: z.output<S[Name]> }

interface FormOptions<S extends Shape, V extends object> {
  shape: S
  initial: V
  /** Rules that need more than one field. A field's own rules come first. */
  check?: (values: V) => Partial<Record<keyof S, FieldMessageRef>>
  onSubmit: (valid: ValidValues<S>) => Promise<void> | void
  /** Called on submission of values that do not fit. */
  onInvalid: () => void
}

const isBlank = (value: unknown): boolean =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

const isSubmit = (element: EventTarget | null): boolean =>
  element instanceof HTMLButtonElement && element.type === 'submit'

const firstInvalid = (form: HTMLFormElement): HTMLElement | null =>
  form.querySelector('[aria-invalid="true"]')

/**
 * State of one form: values, errors by field, submission.
 * A field's message shows once the field was left or the form submitted, at once where the form was filled with something
 * invalid; a message of the server until the field changes.
 */
export const useForm = <S extends Shape, V extends Values<S>>(options: FormOptions<S, V>) => {
  const { shape, initial, check, onSubmit, onInvalid } = options
  const [validate] = useState(() => createValidator(shape))
  /** Filled fields that are invalid: their messages show at once, for nothing else says why the form cannot be saved. */
  const invalidIn = (all: V): ReadonlySet<PropertyKey> =>
    new Set(
      validate(all)
        .filter(({ value, issue }) => issue !== undefined && !isBlank(value))
        .map(({ name }) => name),
    )
  const [values, setValues] = useState(initial)
  const [touched, setTouched] = useState(() => invalidIn(initial))
  const [submitted, setSubmitted] = useState(false)
  const [serverErrors, setServerErrors] = useState<Partial<Record<PropertyKey, string>>>({})
  const [submitting, setSubmitting] = useState(false)

  const fields = validate(values)
  const issues: Partial<Record<PropertyKey, string>> = check?.(values) ?? {}
  for (const { name, issue } of fields) if (issue !== undefined) issues[name] = issue
  const valid = Object.values(issues).every((issue) => issue === undefined)

  const set = <Name extends keyof V>(name: Name, value: V[Name]) => {
    setValues((before) => ({ ...before, [name]: value }))
    setServerErrors(({ [name]: _, ...others }) => others)
  }
  const touch = (name: keyof V) => setTouched((before) => new Set(before).add(name))

  const errorOf = (name: keyof V): string | undefined => {
    const issue = submitted || touched.has(name) ? issues[name] : undefined
    return serverErrors[name] ?? (issue === undefined ? undefined : translateField(issue, language()))
  }

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    if (submitting) return
    flushSync(() => setSubmitted(true))
    if (!valid) {
      firstInvalid(form)?.focus()
      onInvalid()
      return
    }
    const giveFocusBack = rememberFocus()
    setSubmitting(true)
    try {
      // Each field holds the output of its own schema.
      await onSubmit(Object.fromEntries(fields.map(({ name, valid }) => [name, valid])) as ValidValues<S>)
    } finally {
      flushSync(() => setSubmitting(false))
      giveFocusBack(firstInvalid(form))
    }
  }

  return {
    values,
    /** Changes one field. */
    set,
    /** Fills the fields that are blank by now and leaves the others. */
    fillBlank: (found: Partial<V>) =>
      setValues((before) => {
        const blank = Object.entries(found).filter(([name]) => isBlank(before[name as keyof V]))
        return { ...before, ...Object.fromEntries(blank) }
      }),
    /** Names of the fields that hold nothing. */
    blank: fields.filter(({ value }) => isBlank(value)).map(({ name }) => name),
    /** Notes that a field was left. */
    touch,
    /** Fills the whole form, as after loading. */
    fill: (all: V) => {
      setValues(all)
      setTouched(invalidIn(all))
      setSubmitted(false)
      setServerErrors({})
    },
    /** What to show under a field. */
    errorOf,
    /** Props of a text input: name, value, error, onChange, onBlur. */
    text: <Name extends { [N in keyof V]: V[N] extends string ? N : never }[keyof V]>(name: Name) => ({
      name: String(name),
      value: values[name],
      error: errorOf(name),
      onChange: (event: { currentTarget: { value: string } }) =>
        // `Name` is the name of a text field; the compiler cannot conclude that a string fits it.
        set(name, event.currentTarget.value as V[Name]),
      onBlur: ({ relatedTarget }: FocusEvent) => {
        // An error that shows now would push the button away from under the click.
        if (!isSubmit(relatedTarget)) touch(name)
      },
    }),
    /** Shows messages of the server by field: `failure.fields`. */
    showServerErrors: (messages: FieldMessages) => {
      const known = Object.entries(messages).filter(([name]) => name in values)
      setServerErrors(Object.fromEntries(known.map(([name, [message]]) => [name, message])))
    },
    /** Names of the fields that keep the form from being submitted. */
    invalid: fields.map(({ name }) => name).filter((name) => issues[name] !== undefined),
    valid,
    submitting,
    submit,
    /** Props of the form element. */
    form: { onSubmit: submit, noValidate: true },
  }
}
