import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CallFailure } from '../api/failure.ts'
import { failureText } from '../api/failure-text.ts'
import { meQuery } from '../api/queries.ts'
import { useReachable } from '../lib/network.ts'
import { t } from '../messages/messages.ts'
import classes from './main-layout.module.css'

/**
 * Says that the profile has not loaded yet while it is asked for again, and offers to do so at once. After the last
 * try the user is signed out: query-client.ts.
 */
export function ProfileFailure() {
  const queryClient = useQueryClient()
  const { data, failureReason } = useQuery(meQuery)
  const isReachable = useReachable()
  if (data !== undefined || failureReason === null) return null
  // Of the whole server the top bar says it, and tries by itself.
  if (failureReason instanceof CallFailure && failureReason.isUnreachable && !isReachable) return null
  const retry = async () => {
    await queryClient.cancelQueries({ queryKey: meQuery.queryKey })
    await queryClient.refetchQueries({ queryKey: meQuery.queryKey })
  }
  return (
    <div role="alert" className={classes.notice}>
      {failureText(failureReason, 'layout.profile.failure')}
      <button type="button" className={classes.help} onClick={() => void retry()}>
        {t('items.retry')}
      </button>
    </div>
  )
}
