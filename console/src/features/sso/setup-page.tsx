import { Alert, Box, Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { ApiError, type ErrorReason, type SetupGuest } from '@tenantry/client'
import { useMemo, useRef, useState, type ReactNode, type SyntheticEvent } from 'react'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { useWindowTitle } from '../../components/window-title.ts'
import ownIcon from '../../icon.svg'
import { client } from '../../session/client.ts'
import { dressForGuest, dropGuest, enterAsGuest, guestOf, keepGuest } from '../../session/guest.ts'
import { useBrand } from '../../session/portal.ts'
import { useTranslation } from '../../translation.ts'

const GuestArea = lazyPart(
  async () => (await import('./guest-area.tsx')).GuestArea,
  <Skeleton height={480} />,
)

/** The token is in the fragment, which browsers do not send to servers. */
const tokenInAddress = (): string => new URLSearchParams(location.hash.slice(1)).get('token') ?? ''

/** The page, in the look of the portal. */
export const dressed = dressForGuest().then(() => ({ SetupPage }))

const useGuest = (token: string) => {
  const [guest, setGuest] = useState(() => guestOf(token))
  const [isOver, setOver] = useState(false)
  const entered = useMemo(() => {
    const leave = (): void => {
      dropGuest(token)
      setGuest(undefined)
      setOver(true)
    }
    return guest && { guest, api: enterAsGuest(guest, leave) }
  }, [guest, token])
  const enter = (one: SetupGuest): void => {
    keepGuest(token, one)
    setGuest(one)
  }
  return { entered, enter, isOver }
}

/** The page of a setup link. Its tab holds the guest's token, until this expires. */
const SetupPage = () => {
  const { t } = useTranslation()
  const [token] = useState(tokenInAddress)
  const { entered, enter, isOver } = useGuest(token)
  useWindowTitle(t('setup.title'), entered?.guest.tenant.name ?? '')
  return (
    <Frame>
      <PageHeader
        title={t('setup.title')}
        {...(entered && { description: t('setup.of', { tenant: entered.guest.tenant.name }) })}
      />
      {entered ? <GuestArea {...entered} /> : <Enter token={token} isAgain={isOver} onEnter={enter} />}
    </Frame>
  )
}

const Frame = ({ children }: { children: ReactNode }) => {
  const { product, logo, icon, isProduct } = useBrand()
  const image = logo || icon || (isProduct ? '' : ownIcon)
  return (
    <>
      <Group component="header" gap="sm" p="md" maw={940} mx="auto">
        {image !== '' && <img src={image} height={26} alt="" />}
        <Text fw={600} className="cut">
          {product}
        </Text>
      </Group>
      <Box component="main" maw={940} mx="auto" p="md">
        {children}
      </Box>
    </>
  )
}

interface EnterProps {
  token: string
  /** True after the time of a guest has ended. */
  isAgain: boolean
  onEnter: (guest: SetupGuest) => void
}

const isReason = (error: unknown, reason: ErrorReason): boolean =>
  error instanceof ApiError && error.reason === reason

const useEntry = ({ token, onEnter }: EnterProps) => {
  const [code, setCode] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const opening = useMutation({
    mutationFn: () => client.sso.openSetup({ token }),
    onSuccess: () => setCode(''),
  })
  const challenge = opening.data?.challenge ?? ''
  const entering = useMutation({
    mutationFn: () => client.sso.enterSetup({ token, challenge, code }),
    onSuccess: onEnter,
    onError: () => field.current?.select(),
  })
  const mail = (): void => {
    entering.reset()
    opening.mutate()
  }
  const error = opening.error ?? entering.error
  const state = isReason(error, 'linkDead') ? 'dead' : challenge === '' ? 'unsent' : 'mailed'
  return { code, setCode, field, opening, entering, mail, error, state } as const
}

/** Mails a code to the address of the link, and takes it. */
const Enter = (props: EnterProps) => {
  const { t } = useTranslation()
  const { state, error, entering, ...entry } = useEntry(props)
  const isWrong = isReason(error, 'emailCodeWrong')
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    if (state === 'mailed') entering.mutate()
  }
  if (state === 'dead') {
    return (
      <Alert color="yellow" icon={<IconAlertTriangle />} title={t('setup.dead')}>
        {t('setup.deadText')}
      </Alert>
    )
  }
  return (
    <SectionCard title={t('setup.enterTitle')} hint={t('setup.enterHint')}>
      <form noValidate onSubmit={submit}>
        <Stack>
          <Text size="sm">{t(props.isAgain ? 'setup.again' : 'setup.needs')}</Text>
          {error && !isWrong && <ErrorPanel error={error} />}
          {state === 'mailed' && <Code {...entry} isWrong={isWrong} />}
          <Buttons {...entry} isMailed={state === 'mailed'} isSending={entering.isPending} />
        </Stack>
      </form>
    </SectionCard>
  )
}

type Entry = Pick<ReturnType<typeof useEntry>, 'code' | 'setCode' | 'field' | 'opening' | 'mail'>

const Buttons = ({
  code,
  opening,
  mail,
  isMailed,
  isSending,
}: Entry & { isMailed: boolean; isSending: boolean }) => {
  const { t } = useTranslation()
  return (
    <Group>
      {isMailed && (
        <Button type="submit" loading={isSending} disabled={code.trim() === ''}>
          {t('setup.continue')}
        </Button>
      )}
      <Button variant={isMailed ? 'default' : 'filled'} loading={opening.isPending} onClick={mail}>
        {t(isMailed ? 'setup.mailAnother' : 'setup.mailCode')}
      </Button>
    </Group>
  )
}

const Code = ({ code, setCode, field, isWrong }: Entry & { isWrong: boolean }) => {
  const { t } = useTranslation()
  return (
    <TextInput
      ref={field}
      autoFocus
      label={t('setup.code')}
      description={t('setup.codeHint')}
      error={isWrong && t('errors.emailCodeWrong')}
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={32}
      maw={320}
      value={code}
      onChange={({ currentTarget }) => setCode(currentTarget.value)}
    />
  )
}
