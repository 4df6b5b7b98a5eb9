import type { FieldMessages } from '@kopilka/contract/errors.ts'
import { type Locale, sentence } from '@kopilka/contract/messages.ts'
import { type FocusEvent, type FormEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import * as z from 'zod/mini'

interface FormOptions<Values extends object, Valid> {
  initial: Values
  /** The body schema of the contract: its issues name the sentences. */
  schema: z.ZodMiniType<Valid, Values>
  locale: Locale
  /** Gets the values as the schema normalised them; tells of its own failures. */
  onSubmit: (valid: Valid) => Promise<void> | void
  /** Called when the user submits what does not fit the schema. */
  onInvalid: () => void
}

type Errors<Values> = { [Name in keyof Values]?: string }

const issuesOf = <Values extends object>(issues: readonly z.core.$ZodIssue[], locale: Locale) => {
  const errors: Errors<Values> = {}
  for (const issue of issues) {
    const name = issue.path[0] as keyof Values
    errors[name] ??= sentence(issue.message, locale)
  }
  return errors
}

const isBlank = (value: unknown): boolean =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

const isSubmit = (element: EventTarget | null): boolean =>
  element instanceof HTMLButtonElement && element.type === 'submit'

/**
 * State of one form: values, what is wrong with each field, and submission.
 * A field's error shows once the field was left or the form was submitted, and at once where the form is filled with
 * what is wrong; one said by the server until the field changes.
 */
export const useForm = <Values extends object, Valid>(options: FormOptions<Values, Valid>) => {
  const { initial, schema, locale, onSubmit, onInvalid } = options
  const [values, setValues] = useState(initial)
  /** Fields filled with what is wrong: nothing else would tell why such a form cannot be saved. */
  const wrongIn = (all: Values): ReadonlySet<keyof Values> => {
    const names = z.safeParse(schema, all).error?.issues.map(({ path }) => path[0] as keyof Values) ?? []
    return new Set(names.filter((name) => !isBlank(all[name])))
  }
  const [touched, setTouched] = useState(() => wrongIn(initial))
  const [submitted, setSubmitted] = useState(false)
  const [serverErrors, setServerErrors] = useState<Errors<Values>>({})
  const [submitting, setSubmitting] = useState(false)

  const parsed = z.safeParse(schema, values)
  const issues: Errors<Values> = parsed.success ? {} : issuesOf<Values>(parsed.error.issues, locale)

  const set = <Name extends keyof Values>(name: Name, value: Values[Name]) => {
    setValues((before) => ({ ...before, [name]: value }))
    setServerErrors(({ [name]: _, ...others }) => others as Errors<Values>)
  }
  const touch = (name: keyof Values) => setTouched((before) => new Set(before).add(name))

  const errorOf = (name: keyof Values): string | undefined =>
    serverErrors[name] ?? (submitted || touched.has(name) ? issues[name] : undefined)

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    if (submitting) return
    flushSync(() => setSubmitted(true))
    if (!parsed.success) {
      form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
      onInvalid()
      return
    }
    setSubmitting(true)
    try {
      await onSubmit(parsed.data)
    } finally {
      setSubmitting(false)
    }
  }

  return {
    values,
    /** Changes one field. */
    set,
    /** Notes that a field was left. */
    touch,
    /** Fills the whole form, as after loading. */
    fill: (all: Values) => {
      setValues(all)
      setTouched(wrongIn(all))
      setSubmitted(false)
      setServerErrors({})
    },
    /** What to show under a field. */
    errorOf,
    /** Props of a text input: value, error, onChange, onBlur. */
    text: <Name extends { [N in keyof Values]: Values[N] extends string ? N : never }[keyof Values]>(
      name: Name,
    ) => ({
      name: String(name),
      value: values[name],
      error: errorOf(name),
      onChange: (event: { currentTarget: { value: string } }) =>
        set(name, event.currentTarget.value as Values[Name]),
      onBlur: ({ relatedTarget }: FocusEvent) => {
        // An error that shows now would push the button away from under the click.
        if (!isSubmit(relatedTarget)) touch(name)
      },
    }),
    /** Shows what the server said of fields: pass `failure.fields`. */
    showServerErrors: (fields: FieldMessages) => {
      const known = Object.keys(values).filter((name) => fields[name]?.[0] !== undefined)
      setServerErrors(Object.fromEntries(known.map((name) => [name, fields[name]?.[0]])) as Errors<Values>)
    },
    valid: parsed.success,
    submitting,
    submit,
  }
}
