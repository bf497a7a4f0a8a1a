import { Stack, Text, Title } from '@mantine/core'
import type { Attempt } from '@tenantry/client'
import { IconCheck, IconMailQuestion, IconX } from '@tabler/icons-react'
import { MomentAndAgo } from '../../components/ago.tsx'
import { Signed } from '../../components/status-badge.tsx'
import { useTranslation } from '../../translation.ts'
import { FactRow, FactTable } from '../../components/facts.tsx'

/** The provider's claims about the person. */
export const AttemptFacts = ({ attempt }: { attempt: Attempt }) => {
  const { t } = useTranslation()
  const facts = [
    [t('connections.at'), <MomentAndAgo key="at" at={attempt.at} />],
    ...(attempt.number === 0 ? [] : [[t('connections.number'), attempt.number] as const]),
    [t('connections.subject'), attempt.subject || '–'],
    [t('fields.email'), attempt.email || '–'],
    [t('connections.source'), attempt.ip],
  ] as const
  return (
    <Stack>
      <FactTable>
        {facts.map(([label, value]) => (
          <FactRow key={label} label={label}>
            {value}
          </FactRow>
        ))}
      </FactTable>
      {attempt.claims.length > 0 && <Claims claims={attempt.claims} />}
    </Stack>
  )
}

const Claims = ({ claims }: Pick<Attempt, 'claims'>) => {
  const { t } = useTranslation()
  const others = claims.filter(({ values }) => values === null).map(({ name }) => name)
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {t('connections.claims')}
      </Title>
      <FactTable>
        {claims
          .filter(({ values }) => values !== null)
          .map(({ name, values }) => (
            <FactRow key={name} label={name}>
              {values?.join(', ') || '–'}
            </FactRow>
          ))}
      </FactTable>
      {others.length > 0 && (
        <Text size="sm" c="dimmed" className="breakable">
          {t('connections.otherClaims', { names: others.join(', ') })}
        </Text>
      )}
    </Stack>
  )
}

const good = { sign: IconCheck, className: 'status-on' }
const bad = { sign: IconX, className: 'status-bad' }

const looks = {
  signed_in: good,
  test_passed: good,
  proof: { sign: IconMailQuestion, className: '' },
  refused: bad,
  test_failed: bad,
}

export const AttemptStatus = ({ outcome }: Pick<Attempt, 'outcome'>) => {
  const { t } = useTranslation()
  return <Signed {...looks[outcome]} text={t(`ssoOutcomes.${outcome}`)} />
}

/** Explains the outcome of a sign-in, and says what to do. */
export const useAttemptText = () => {
  const { t, textsOf } = useTranslation()
  const reasons: Partial<Record<string, string>> = textsOf('ssoReasons')
  const tested: Partial<Record<string, string>> = textsOf('ssoTestReasons')
  return ({ outcome, reason, number }: Pick<Attempt, 'outcome' | 'reason' | 'number'>): string => {
    if (outcome === 'proof') return t('connections.proofText')
    const known = outcome === 'test_passed' ? tested[reason] : reasons[reason]
    return known ?? t('connections.unknownReason', { number })
  }
}
