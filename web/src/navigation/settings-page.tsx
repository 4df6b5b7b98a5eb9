import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../messages/messages.ts'
import { Breadcrumbs } from '../ui/breadcrumbs.tsx'
import { AnchorLink } from './router-links.tsx'

export interface SettingsPageProps {
  title: string
  about: string
  children: ReactNode
}

/** A screen of the settings: the way back to them, its name, what it is about. */
export const SettingsPage = ({ title, about, children }: SettingsPageProps) => (
  <Stack gap="md" maw={900} mx="auto">
    <Breadcrumbs current={title}>
      <AnchorLink to="/home">{t('title.home')}</AnchorLink>
      <AnchorLink to="/profile">{t('title.profile')}</AnchorLink>
    </Breadcrumbs>
    <Title order={1} size="h2" tabIndex={-1}>
      {title}
    </Title>
    <Text c="dimmed" size="sm">
      {about}
    </Text>
    {children}
  </Stack>
)
