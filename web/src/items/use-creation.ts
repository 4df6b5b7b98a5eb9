import { useRef } from 'react'
import type * as z from 'zod/mini'
import { callWithEtag } from '../api/call.ts'
import { CallFailure } from '../api/failure.ts'
import type { Versioned } from '../api/send.ts'
import { newIdempotencyKey } from './idempotency-key.ts'
import type { Item, ItemKind, ItemValues } from './item-kind.ts'

type Body = z.output<ItemKind['calls']['create']['body']>

/** What has been sent for the same typed values. */
interface Attempt {
  typed: string
  key: string
  /** Bodies that got no response: the server may have created an item of one of them. */
  unanswered: Body[]
}

/** Another request has had the idempotency key. */
const isKeyReused = (failure: unknown): boolean => failure instanceof CallFailure && failure.status === 422

/**
 * Creates an item of a form, once for the same typed values, however often they are sent. `body`: these values with the names that
 * their tags have by now, which differ from those of an earlier try where a tag was renamed in between.
 */
export const useCreation = ({
  calls: { create },
}: ItemKind): ((typed: ItemValues, body: Body) => Promise<Versioned<Item>>) => {
  const last = useRef<Attempt>({ typed: '', key: '', unanswered: [] })
  return async (values, body) => {
    const typed = JSON.stringify(values)
    if (last.current.typed !== typed) last.current = { typed, key: newIdempotencyKey(), unanswered: [] }
    const attempt = last.current
    const send = async (sent: Body): Promise<Versioned<Item>> => {
      try {
        return await callWithEtag(create, { body: sent }, { idempotencyKey: attempt.key })
      } catch (failure) {
        if (failure instanceof CallFailure && failure.isUnreachable) attempt.unanswered.push(sent)
        throw failure
      }
    }
    /** Undefined where the key belongs to another request. */
    const sendUnlessReused = (sent: Body) =>
      send(sent).catch((failure: unknown) => {
        if (!isKeyReused(failure)) throw failure
      })
    for (const sent of [body, ...attempt.unanswered]) {
      const saved = await sendUnlessReused(sent)
      if (saved) return saved
    }
    Object.assign(attempt, { key: newIdempotencyKey(), unanswered: [] })
    return send(body)
  }
}
