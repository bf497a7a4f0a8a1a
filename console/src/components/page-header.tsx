import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from '../translation.ts'
import { useNameOfPage } from './window-title.ts'

interface PageHeaderProps {
  title: string
  description?: string
  actions?: ReactNode
  /** Shown before the title, such as initials. */
  lead?: ReactNode
  marks?: ReactNode
}

export const PageHeader = ({ title, description, actions, lead, marks }: PageHeaderProps) => {
  useNameOfPage(title)
  return (
    <Group justify="space-between" align="flex-end" mb="lg" gap="sm">
      <Group wrap="nowrap" gap="sm" miw={0}>
        {lead}
        <Stack gap={2} miw={0}>
          <Group gap="xs">
            <Title order={1} size="h2" className="breakable">
              {title}
            </Title>
            {marks}
          </Group>
          {description && (
            <Text c="dimmed" className="breakable">
              {description}
            </Text>
          )}
        </Stack>
      </Group>
      {actions && <Actions>{actions}</Actions>}
    </Group>
  )
}

/** On a phone, three or more actions fold into a menu, and only the last one, the main action, stays beside it. */
const Actions = ({ children }: { children: ReactNode }) => {
  const { t } = useTranslation()
  const [isOpen, { toggle }] = useDisclosure()
  const Sign = isOpen ? IconChevronUp : IconChevronDown
  return (
    <Group gap="xs" className={isOpen ? 'page-actions' : 'page-actions folded'}>
      {children}
      <Button
        variant="default"
        className="page-more"
        aria-expanded={isOpen}
        onClick={toggle}
        rightSection={<Sign size={16} />}
      >
        {t('common.more')}
      </Button>
    </Group>
  )
}
