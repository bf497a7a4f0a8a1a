import {
  Alert,
  Button,
  Card,
  Group,
  Skeleton,
  Stack,
  Text,
  Title,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core'
import { IconCheck, IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import type { Client, Connection, SetupGuest } from '@tenantry/client'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { PageClient } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { bodies, type GuestProps, type StepName } from './guest-steps.tsx'
import { isProved, useConnections, useDomains, useHasPassed } from './sso.queries.ts'

/** The parts of a tenant's sign-in that a setup link opens, as steps. */
export const GuestArea = ({ guest, api }: { guest: SetupGuest; api: Client }) => (
  <PageClient value={api}>
    <Loaded guest={guest} />
  </PageClient>
)

const Loaded = ({ guest }: { guest: SetupGuest }) => {
  const { parts } = guest
  const domains = useDomains(parts.includes('domains'))
  const connections = useConnections(parts.includes('connection'))
  const failed = [domains, connections].find(({ error, data }) => error && !data)
  if (failed) return <ErrorPanel error={failed.error} onRetry={() => void failed.refetch()} />
  if (domains.isLoading || connections.isLoading) return <Skeleton height={480} />
  return <Guest guest={guest} domains={domains.data ?? []} connection={connections.data?.[0]} />
}

/** Whether the guest decides about domains, or about groups that no directory pushes. */
const hasPeople = ({ guest, connection }: GuestProps): boolean =>
  guest.parts.includes('domains') ||
  (guest.roles.length > 0 && (connection?.scim_account_id ?? null) === null)

const namesOf = (props: GuestProps): StepName[] => {
  const { parts } = props.guest
  const isOver = props.connection !== undefined && props.connection.status !== 'draft'
  const rest: StepName[] = hasPeople(props) ? ['people', 'test'] : ['test']
  return [
    ...(parts.includes('domains') ? (['domains'] as const) : []),
    ...(parts.includes('connection') ? (['connection', ...(isOver ? [] : rest)] as const) : []),
    ...(parts.includes('directory') ? (['directory'] as const) : []),
  ]
}

const hasDecided = ({ domains, group_mappings: mappings }: Connection): boolean =>
  domains.length > 0 || mappings.length > 0

const useDone = ({ domains, connection }: GuestProps): Record<StepName, boolean> => {
  const hasPassed = useHasPassed(connection?.id)
  return {
    domains: domains.length > 0 && domains.every(isProved),
    connection: connection !== undefined,
    people: connection !== undefined && hasDecided(connection),
    test: hasPassed,
    directory: (connection?.scim_account_id ?? null) !== null,
  }
}

const Guest = (props: GuestProps) => {
  const { t } = useTranslation()
  const { guest, connection, domains } = props
  const names = namesOf(props)
  const done = useDone(props)
  const [open, setOpen] = useState(() => names.find((name) => !done[name]))
  const after = (name: StepName): StepName | undefined => names[names.indexOf(name) + 1]
  const isReady = (name: StepName): boolean =>
    name === 'domains' || name === 'connection' || connection !== undefined || guest.connection_id !== null
  return (
    <Stack>
      {names.includes('test') && (
        <Text size="sm">
          {t(guest.may_activate ? 'setup.ownEnd' : 'setup.end', { tenant: guest.tenant.name })}
        </Text>
      )}
      <Stack component="ol" gap="xs" className="bare" aria-label={t('connections.steps')}>
        {names.map((name, at) => {
          const Body = bodies[name]
          const next = after(name)
          return (
            <Step
              key={name}
              title={`${at + 1}. ${t(`setupSteps.${name}`)}`}
              hint={t(`setupSteps.${name}Hint`)}
              isDone={done[name]}
              isReady={isReady(name)}
              isOpen={open === name}
              onToggle={() => setOpen(open === name ? undefined : name)}
            >
              <Body {...props} onSaved={() => setOpen(next)} />
              {next && name !== 'people' && (done[name] || (name === 'domains' && domains.length > 0)) && (
                <Group>
                  <Button
                    variant={done[name] && name !== 'test' ? 'filled' : 'default'}
                    onClick={() => setOpen(next)}
                  >
                    {t('setup.continue')}
                  </Button>
                </Group>
              )}
            </Step>
          )
        })}
      </Stack>
      <End {...props} isDone={done.test} />
    </Stack>
  )
}

interface HeadingProps {
  title: string
  isDone: boolean
  /** False until an earlier step is done. */
  isReady: boolean
  isOpen: boolean
  onToggle: () => void
}

interface StepProps extends HeadingProps {
  hint: string
  children: ReactNode
}

/** A step is one line until it is open. Closed steps keep what is typed, and a key that is shown once. */
const Step = ({ hint, children, ...heading }: StepProps) => {
  const { isOpen, isReady } = heading
  return (
    <Stack component="li" gap="sm" {...(isOpen && { 'aria-current': 'step', my: 'sm' })}>
      <Card withBorder={!isOpen} padding={isOpen ? 0 : 'sm'} {...(isOpen && { bg: 'transparent' })}>
        <Heading {...heading} />
        {isOpen && (
          <Text size="sm" c="dimmed">
            {hint}
          </Text>
        )}
      </Card>
      {isReady && (
        <div hidden={!isOpen}>
          <Stack>{children}</Stack>
        </div>
      )}
    </Stack>
  )
}

const Heading = ({ title, isDone, isReady, isOpen, onToggle }: HeadingProps) => {
  const { t } = useTranslation()
  const Sign = isDone ? IconCircleCheckFilled : IconCircle
  return (
    <Title order={2} size={isOpen ? 'h3' : 'h5'} {...(!isReady && { c: 'dimmed' })}>
      <UnstyledButton
        ref={useFocusOnOpen(isOpen)}
        fz="inherit"
        fw="inherit"
        display="block"
        w="100%"
        aria-expanded={isOpen}
        disabled={!isReady}
        onClick={onToggle}
      >
        <Group gap="sm" wrap="nowrap">
          <Sign size={20} color={isDone ? 'var(--text-good)' : 'var(--mantine-color-dimmed)'} aria-hidden />
          {isDone && <VisuallyHidden>{t('connections.isDone')}</VisuallyHidden>}
          {title}
        </Group>
      </UnstyledButton>
    </Title>
  )
}

/** A step that opens takes the focus: the button that led there is gone. */
const useFocusOnOpen = (isOpen: boolean) => {
  const button = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(isOpen)
  useEffect(() => {
    if (isOpen && !wasOpen.current) button.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  return button
}

/** The next step is another person's, once the test has passed. */
const End = ({ guest, connection, isDone }: GuestProps & { isDone: boolean }) => {
  const { t } = useTranslation()
  const isOver = connection !== undefined && connection.status !== 'draft'
  if (!isOver && (!isDone || guest.may_activate)) return null
  return (
    <Alert color="teal" role="status" icon={<IconCheck />} title={t(isOver ? 'setup.over' : 'setup.passed')}>
      {isOver ? t('setup.doneHint') : t('setup.nowOthers', { tenant: guest.tenant.name })}
    </Alert>
  )
}
