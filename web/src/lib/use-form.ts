import type { FieldMessages } from '@kopilka/contract/errors.ts'
import { type Locale, translate } from '@kopilka/contract/messages.ts'
import { type FocusEvent, type FormEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import * as z from 'zod/mini'
import { rememberFocus } from './remember-focus.ts'

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

/** What to show, by field. */
type Errors = Partial<Record<PropertyKey, string>>

const issuesOf = (issues: readonly z.core.$ZodIssue[], locale: Locale): Errors => {
  const errors: Errors = {}
  for (const { path, message } of issues) {
    const [name] = path
    if (name !== undefined) errors[name] ??= translate(message, locale)
  }
  return errors
}

const isBlank = (value: unknown): boolean =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

const isSubmit = (element: EventTarget | null): boolean =>
  element instanceof HTMLButtonElement && element.type === 'submit'

const firstWrong = (form: HTMLFormElement): HTMLElement | null => form.querySelector('[aria-invalid="true"]')

/**
 * State of one form: values, what is wrong with each field, and submission.
 * A field's error shows once the field was left or the form was submitted, and at once where the form is filled with
 * what is wrong; one said by the server until the field changes.
 */
export const useForm = <Values extends object, Valid>(options: FormOptions<Values, Valid>) => {
  const { initial, schema, locale, onSubmit, onInvalid } = options
  const [values, setValues] = useState(initial)
  /** Fields filled with what is wrong: nothing else would tell why such a form cannot be saved. */
  const wrongIn = (all: Values): ReadonlySet<PropertyKey> => {
    const wrong = new Set(z.safeParse(schema, all).error?.issues.map(({ path }) => path[0]))
    const filled = Object.entries(all).filter(([, value]) => !isBlank(value))
    return new Set(filled.map(([name]) => name).filter((name) => wrong.has(name)))
  }
  const [touched, setTouched] = useState(() => wrongIn(initial))
  const [submitted, setSubmitted] = useState(false)
  const [serverErrors, setServerErrors] = useState<Errors>({})
  const [submitting, setSubmitting] = useState(false)

  const parsed = z.safeParse(schema, values)
  const issues = parsed.success ? {} : issuesOf(parsed.error.issues, locale)

  const set = <Name extends keyof Values>(name: Name, value: Values[Name]) => {
    setValues((before) => ({ ...before, [name]: value }))
    setServerErrors(({ [name]: _, ...others }) => others)
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
      firstWrong(form)?.focus()
      onInvalid()
      return
    }
    const giveFocusBack = rememberFocus()
    setSubmitting(true)
    try {
      await onSubmit(parsed.data)
    } finally {
      flushSync(() => setSubmitting(false))
      giveFocusBack(firstWrong(form))
    }
  }

  return {
    values,
    /** Changes one field. */
    set,
    /** Fills the fields that are blank by now and leaves the others as they are. */
    fillBlank: (found: Partial<Values>) => {
      setValues((before) => {
        const fitting = Object.entries(found).filter(([name]) => isBlank(before[name as keyof Values]))
        return { ...before, ...Object.fromEntries(fitting) }
      })
    },
    /** Nothing is in the form. */
    blank: Object.values(values).every(isBlank),
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
        // Only names of texts are let in; that a text fits them the compiler cannot conclude.
        set(name, event.currentTarget.value as Values[Name]),
      onBlur: ({ relatedTarget }: FocusEvent) => {
        // An error that shows now would push the button away from under the click.
        if (!isSubmit(relatedTarget)) touch(name)
      },
    }),
    /** Shows what the server said of fields: pass `failure.fields`. */
    showServerErrors: (fields: FieldMessages) => {
      const known: Errors = {}
      for (const [name, [message]] of Object.entries(fields)) {
        if (name in values && message !== undefined) known[name] = message
      }
      setServerErrors(known)
    },
    valid: parsed.success,
    submitting,
    submit,
  }
}
