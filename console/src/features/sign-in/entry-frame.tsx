import { Center, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useWindowTitle } from '../../components/window-title.ts'
import icon from '../../icon.svg'
import { client } from '../../session/client.ts'
import { EntryPreferences } from './entry-preferences.tsx'

/** Continues after a sign-in in another tab: the routes redirect a signed-in user. */
const useSignInElsewhere = (): void => {
  const router = useRouter()
  const goOn = async (): Promise<void> => {
    if (await client.auth.session()) await router.invalidate()
  }
  useWindowEvent('storage', () => void goOn())
}

export const EntryFrame = ({ title, children }: { title: string; children: ReactNode }) => {
  useWindowTitle(title)
  useSignInElsewhere()
  return (
    <Center component="main" mih="100dvh" p="md">
      <Stack w="100%" maw={400} gap="lg">
        <Group justify="space-between">
          <Group gap="sm">
            <img src={icon} width={32} height={32} alt="" />
            <Text fw={600} size="lg">
              Tenantry
            </Text>
          </Group>
          <EntryPreferences />
        </Group>
        <Paper withBorder p="xl" shadow="xs">
          <Title order={1} size="h3" mb="md">
            {title}
          </Title>
          {children}
        </Paper>
      </Stack>
    </Center>
  )
}
