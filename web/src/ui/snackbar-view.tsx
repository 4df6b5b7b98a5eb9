import { type FocusEvent, type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { t } from '../messages/messages.ts'
import classes from './snackbar.module.css'
import { hideMessage, type Message, onMessages, shownMessages } from './snackbar.ts'

const STAYS_MS = { info: 6_000, success: 5_000, error: 10_000 }

/** Where messages appear, over everything else; the page has it once. They stay while pointed at or focused. */
export function Snackbar() {
  const messages = useSyncExternalStore(onMessages, shownMessages)
  const region = useRef<HTMLDivElement>(null)
  const [timesLeft, setTimesLeft] = useState(0)
  const cameFrom = useRef<EventTarget>(null)

  const remember = ({ relatedTarget }: FocusEvent) => {
    if (!(relatedTarget instanceof Node && region.current?.contains(relatedTarget)))
      cameFrom.current = relatedTarget
  }
  const close = (message: Message) => {
    if (cameFrom.current instanceof HTMLElement) cameFrom.current.focus()
    hideMessage(message)
  }
  const leave = () => setTimesLeft((times) => times + 1)
  const rowOf = (message: Message) => (
    <MessageRow
      key={`${message.colour}:${message.text}`}
      message={message}
      timesLeft={timesLeft}
      region={region}
      onClose={() => close(message)}
    />
  )
  return (
    <section
      ref={region}
      aria-label={t('snackbar.label')}
      className={classes.region}
      onMouseLeave={leave}
      onBlur={leave}
      onFocus={remember}
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
  /** How often the pointer or the focus has left the messages. */
  timesLeft: number
  region: RefObject<HTMLDivElement | null>
  onClose: () => void
}

function MessageRow({ message, timesLeft, region, onClose }: MessageRowProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time begins anew when the messages are left.
  useEffect(() => {
    const hideUnlessRead = () => {
      if (!region.current?.matches(':hover, :focus-within')) hideMessage(message)
    }
    const timer = setInterval(hideUnlessRead, STAYS_MS[message.colour])
    return () => clearInterval(timer)
  }, [message, region, timesLeft])
  return (
    <div className={classes.message} data-colour={message.colour}>
      <span>{message.text}</span>
      <button type="button" className={classes.close} onClick={onClose}>
        {t('snackbar.close')}
      </button>
    </div>
  )
}
