import { Anchor, Stack, Text, Title } from '@mantine/core'
import { Link, useMatches } from '@tanstack/react-router'
import { t } from '../text/text.ts'

/** A screen of the route table that has not been built: it says so. */
export function NotYetPage() {
  const title = useMatches({ select: (matches) => matches.at(-1)?.staticData.title })
  return (
    <Stack>
      <Title order={1} size="h2">
        {t(title ?? 'app.name')}
      </Title>
      <Text>{t('app.notYet.text')}</Text>
      <Anchor renderRoot={(props) => <Link to="/home" {...props} />}>{t('app.notYet.home')}</Anchor>
    </Stack>
  )
}
