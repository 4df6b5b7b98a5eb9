import { Text, Title } from '@mantine/core'
import { language } from '../messages/language.ts'
import { t } from '../messages/messages.ts'
import { policies } from './policy.ts'
import classes from './privacy-page.module.css'
import { SupportEmail } from './support-email.tsx'

/** The privacy policy, as a document to read. */
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
