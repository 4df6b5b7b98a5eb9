import { type FocusEvent, type PointerEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { focusHeading } from '../lib/focus-heading.ts'
import { t } from '../messages/messages.ts'
import classes from './snackbar.module.css'
import { hideMessage, lifetimeOf, type Message, onMessages, shownMessages } from './snackbar.ts'

/** Returns the focus to what had it; where that is gone, or was outside the page, to the heading. */
const giveFocusBack = (before: EventTarget | null): void => {
  if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
  else focusHeading()
}

/**
 * Where messages appear; the page has it once. The page makes room for them (base.css), so that none covers a control.
 * Their timers pause while they have the focus or a pointer that has moved onto them.
 */
export function Snackbar() {
  const messages = useSyncExternalStore(onMessages, shownMessages)
  const region = useRef<HTMLElement>(null)
  const [pointed, setPointed] = useState(false)
  const [focused, setFocused] = useState(false)
  const focusedBefore = useRef<EventTarget>(null)

  useEffect(() => {
    const element = region.current
    if (!element) return
    const observer = new ResizeObserver(() =>
      document.documentElement.style.setProperty('--messages-height', `${element.offsetHeight}px`),
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  // A message that hides by itself may have had the focus.
  useEffect(() => {
    if (!focused || region.current?.contains(document.activeElement)) return
    giveFocusBack(focusedBefore.current)
    setFocused(false)
  })

  const onPointerMove = ({ movementX, movementY }: PointerEvent) => {
    // A message that appears under a resting pointer is not being read.
    if (movementX !== 0 || movementY !== 0) setPointed(true)
  }
  const onFocus = ({ relatedTarget }: FocusEvent) => {
    if (!focused) focusedBefore.current = relatedTarget
    setFocused(true)
  }
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    if (!(relatedTarget instanceof Node && region.current?.contains(relatedTarget))) setFocused(false)
  }
  const close = (message: Message) => {
    if (region.current?.contains(document.activeElement)) giveFocusBack(focusedBefore.current)
    setFocused(false)
    // What is under the pointer goes without its leaving.
    setPointed(false)
    hideMessage(message)
  }
  const paused = messages.length > 0 && (pointed || focused)
  const rowOf = (message: Message) => (
    <MessageRow key={message.id} message={message} paused={paused} onClose={() => close(message)} />
  )
  return (
    <section
      ref={region}
      aria-label={t('snackbar.label')}
      className={classes.region}
      onPointerMove={onPointerMove}
      onPointerLeave={() => setPointed(false)}
      onBlur={onBlur}
      onFocus={onFocus}
    >
      <div role="status" aria-atomic="false">
        {messages.filter(({ colour }) => colour !== 'error').map(rowOf)}
      </div>
      <div role="alert" aria-atomic="false">
        {messages.filter(({ colour }) => colour === 'error').map(rowOf)}
      </div>
    </section>
  )
}

interface MessageRowProps {
  message: Message
  /** Its timer is stopped, and restarts afterwards. */
  paused: boolean
  onClose: () => void
}

function MessageRow({ message, paused, onClose }: MessageRowProps) {
  const { text, detail, colour, action } = message
  useEffect(() => {
    const lifetime = lifetimeOf(message)
    if (paused || lifetime === undefined) return
    const timer = setTimeout(() => hideMessage(message), lifetime)
    return () => clearTimeout(timer)
  }, [message, paused])
  return (
    <div className={classes.message} data-colour={colour}>
      <span>
        <span>{text}</span>
        {detail !== undefined && <span aria-hidden="true"> {detail}</span>}
      </span>
      <div className={classes.buttons}>
        {action && (
          <button
            type="button"
            className={classes.button}
            onClick={() => {
              onClose()
              action.run()
            }}
          >
            {action.label}
          </button>
        )}
        <button type="button" className={classes.button} onClick={onClose}>
          {t('snackbar.close')}
        </button>
      </div>
    </div>
  )
}
