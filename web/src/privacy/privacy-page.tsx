import { Anchor, Button, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { siteQuery } from '../api/queries.ts'
import { language } from '../messages/language.ts'
import { t } from '../messages/messages.ts'
import { policies } from './policy.ts'
import classes from './privacy-page.module.css'

/** The privacy policy. */
export function PrivacyPage() {
  const { effective, sections } = policies[language()]
  return (
    <article className={classes.policy}>
      <Title order={1} size="h2">
        {t('title.privacy')}
      </Title>
      <Text c="dimmed">{effective}</Text>
      {sections.map(({ title, blocks }, at) => (
        <section key={title}>
          <Title order={2} size="h4">
            {at + 1}. {title}
          </Title>
          {blocks.map((block) =>
            typeof block === 'string' ? (
              <Paragraph key={block} text={block} />
            ) : (
              <Points key={block[0]} points={block} />
            ),
          )}
        </section>
      ))}
    </article>
  )
}

function Paragraph({ text }: { text: string }) {
  const [before, after] = text.split('{email}')
  return (
    <p>
      {before}
      {after !== undefined && <SupportEmail />}
      {after}
    </p>
  )
}

const Points = ({ points }: { points: string[] }) => (
  <ul>
    {points.map((point) => (
      <li key={point}>{point}</li>
    ))}
  </ul>
)

/** The address for questions, a setting of the server; the rest of the page does not wait for it. */
function SupportEmail() {
  const { data: site, isError, refetch } = useQuery(siteQuery)
  if (site) {
    return (
      <Anchor href={`mailto:${site.support_email}`} underline="always">
        {site.support_email}
      </Anchor>
    )
  }
  if (!isError) return '…'
  return (
    <Button variant="default" size="compact-sm" onClick={() => void refetch()}>
      {t('items.retry')}
    </Button>
  )
}
