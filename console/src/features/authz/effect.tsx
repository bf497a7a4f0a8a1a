import { Alert, ScrollArea, Stack, Text } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { ApiError, errorCodes, type ErrorName, type Preview } from '@tenantry/client'
import { Fragment } from 'react'
import { useTranslation } from '../../translation.ts'
import { useErrorText } from '../../components/error-text.ts'
import { TextLink } from '../../components/text-link.tsx'
import { useFormat } from '../../format.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import type { PreviewedEffect } from './authz.queries.ts'
import { PermissionList } from './permission-list.views.tsx'

interface AnswerProps {
  effect: PreviewedEffect
  /** The name of the object of each change, if there are several changes. */
  names: string[]
}

/** The answer to a preview: the effect, or the error that the change would get. */
export const Answer = ({ effect, names }: AnswerProps) => {
  const { refused, isWholeRefused } = effect
  if (refused === null) return <EffectSummary effect={effect} />
  return <Refused refused={refused} name={isWholeRefused ? undefined : names[refused.index]} />
}

interface RefusedProps {
  refused: NonNullable<Preview['refused']>
  /** The name of the object of the refused change, if there are several changes. */
  name: string | undefined
}

const errorOf = ({ code, message }: { code: number; message: string }): ApiError => {
  const names = Object.keys(errorCodes) as ErrorName[]
  const reason = names.find((name) => errorCodes[name] === code) ?? 'unknown'
  return new ApiError({ status: Math.floor(code / 100), code, reason, message })
}

/** Only the message of the service names the permissions in question. */
const codesIn = (message: string): string[] => message.match(/\b[a-z_]+:[a-z_]+\b/g) ?? []

const Refused = ({ refused: { error }, name }: RefusedProps) => {
  const { t } = useTranslation()
  const textOf = useErrorText()
  const codes = codesIn(error.message)
  const title = name === undefined ? t('authz.refused') : t('authz.refusedOne', { name })
  return (
    <Alert color="red" role="alert" icon={<IconLock />} title={title}>
      <Text size="sm">{textOf(errorOf(error))}</Text>
      {codes.length > 0 && <PermissionList codes={codes} say={(names) => names} />}
      {name !== undefined && (
        <Text size="sm" mt="xs">
          {t('authz.othersGoOn')}
        </Text>
      )}
    </Alert>
  )
}

interface Alike {
  gained: string[]
  lost: string[]
  users: { id: number; username: string }[]
}

/** Groups users with equal gains and losses, in order of their ids. */
const groupsOf = ({ gains, losses }: PreviewedEffect): Alike[] => {
  const users = new Map<number, { username: string; gained: string[]; lost: string[] }>()
  for (const { user_id, username, permissions } of gains) {
    users.set(user_id, { username, gained: permissions, lost: [] })
  }
  for (const { user_id, username, permissions } of losses) {
    const gained = users.get(user_id)?.gained ?? []
    users.set(user_id, { username, gained, lost: permissions })
  }
  const groups = new Map<string, Alike>()
  for (const [id, { username, gained, lost }] of [...users].toSorted(([one], [other]) => one - other)) {
    const key = `${gained.join()}-${lost.join()}`
    const group = groups.get(key) ?? { gained, lost, users: [] }
    group.users.push({ id, username })
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** The service counts up to this number. It also sends this number for every larger count. */
const countedMax = 10_000

const EffectSummary = ({ effect }: { effect: PreviewedEffect }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const count = effect.affected_users
  const say = (total: number) => format.total({ total, isCapped: count >= countedMax })
  const groups = groupsOf(effect)
  const more = count - groups.reduce((sum, { users }) => sum + users.length, 0)
  return (
    <Stack gap="xs">
      <OwnLoss effect={effect} />
      <Text size="sm" fw={500} role="status">
        {count === 0 ? t('authz.nobody') : t('authz.affected', { count, said: say(count) })}
      </Text>
      {groups.length > 0 && (
        <ScrollArea.Autosize
          mah={260}
          type="auto"
          viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': t('authz.effect') }}
        >
          <Stack gap="sm">
            {groups.map((group) => (
              <EffectGroup key={group.users[0]?.id} group={group} />
            ))}
          </Stack>
        </ScrollArea.Autosize>
      )}
      {more > 0 && (
        <Text size="sm" c="dimmed">
          {t('authz.more', { count: more, said: say(more) })}
        </Text>
      )}
    </Stack>
  )
}

const EffectGroup = ({ group: { gained, lost, users } }: { group: Alike }) => {
  const { t, comma } = useTranslation()
  const count = users.length
  return (
    <Stack gap={2}>
      {gained.length > 0 && (
        <PermissionList
          codes={gained}
          say={(names) => t('authz.gains', { count, names })}
          color="var(--text-good)"
        />
      )}
      {lost.length > 0 && (
        <PermissionList
          codes={lost}
          say={(names) => t('authz.loses', { count, names })}
          color="var(--text-bad)"
        />
      )}
      <Text size="sm" className="breakable">
        {users.map(({ id, username }, index) => (
          <Fragment key={id}>
            {index > 0 && comma}
            <TextLink
              to="/users/$userId"
              params={{ userId: String(id) }}
              search={{ tab: 'access' }}
              target="_blank"
            >
              {username}
            </TextLink>
          </Fragment>
        ))}
      </Text>
    </Stack>
  )
}

/** A warning: callers who remove a permission from themselves may be unable to restore it. */
const OwnLoss = ({ effect: { losses } }: { effect: PreviewedEffect }) => {
  const { t } = useTranslation()
  const me = useMe()
  const { isOwn } = useScope()
  // A user of another tenant can have the same id.
  const own = isOwn ? losses.find(({ user_id }) => user_id === me.user.id) : undefined
  return own ? (
    <Alert color="yellow" title={t('authz.ownLoss')}>
      <PermissionList codes={own.permissions} say={(names) => names} />
    </Alert>
  ) : null
}
