import { Button, Card, Group, Stack, Text } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import type { Flag } from '@tenantry/client'
import { useState, type ReactNode } from 'react'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { LeaveQuestion } from '../../components/leave-question.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useTranslation } from '../../translation.ts'
import { newRule, ruleOf, sumOf, typedRule, type TypedRule } from './flag-values.ts'
import { useUpdateFlag } from './flags.queries.ts'
import { RuleFields } from './rule-fields.tsx'

/** Why the rules cannot be saved now; undefined if they can. The service has further rules. */
const useWhyNot = (rules: TypedRule[], isDirty: boolean): string | undefined => {
  const { t } = useTranslation()
  if (!isDirty) return t('flags.unchanged')
  for (const [index, { conditions, kind, shares }] of rules.entries()) {
    const number = index + 1
    if (conditions.some(({ attribute }) => attribute.trim() === '')) {
      return t('flags.attributeMissing', { number })
    }
    if (kind === 'split' && sumOf(shares) !== 100) return t('flags.sharesWrong', { number })
  }
  return undefined
}

interface RulesEditorProps {
  flag: Flag
  onClose: () => void
}

const useRules = ({ flag, onClose }: RulesEditorProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const names = Object.keys(flag.variants)
  const [before] = useState(() => flag.rules.map((rule) => typedRule(rule, names)))
  const [rules, setRules] = useState(before)
  const isDirty = JSON.stringify(rules) !== JSON.stringify(before)
  const saving = useUpdateFlag(flag, () => {
    onClose()
    notify(t('flags.rulesSaved'))
  })
  const save = (): void =>
    saving.mutate({
      rules: rules.map((rule) =>
        ruleOf(
          rule,
          flag.rules.find(({ id }) => id === rule.id),
        ),
      ),
    })
  return { rules, setRules, isDirty, saving, save }
}

/** The rules in their order, as a draft until they are saved together. */
export const RulesEditor = (props: RulesEditorProps) => {
  const { t } = useTranslation()
  const { flag, onClose } = props
  const names = Object.keys(flag.variants)
  const { rules, setRules, isDirty, saving, save } = useRules(props)
  const whyNot = useWhyNot(rules, isDirty)
  return (
    <Stack>
      {rules.map((rule, index) => (
        <RuleCard key={index} rules={rules} index={index} onChange={setRules}>
          <RuleFields
            number={index + 1}
            rule={rule}
            names={names}
            onChange={(changed) => setRules(rules.with(index, changed))}
          />
        </RuleCard>
      ))}
      <Group justify="space-between">
        <Button
          variant="default"
          leftSection={<IconPlus size={16} />}
          disabled={rules.length >= 50}
          onClick={() => setRules([...rules, newRule(names)])}
        >
          {t('flags.addRule')}
        </Button>
        <Group gap="xs">
          <Button variant="default" disabled={saving.isPending} onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button disabled={whyNot !== undefined} loading={saving.isPending} onClick={save}>
            {t('flags.saveRules')}
          </Button>
        </Group>
      </Group>
      <Text size="sm" c="dimmed" ta="end" role="status">
        {whyNot}
      </Text>
      {saving.error && <ErrorPanel error={saving.error} isOfForm />}
      <LeaveQuestion isUnsaved={isDirty} />
    </Stack>
  )
}

interface RuleCardProps {
  rules: TypedRule[]
  index: number
  onChange: (rules: TypedRule[]) => void
  children: ReactNode
}

const moved = (rules: TypedRule[], from: number, to: number): TypedRule[] => {
  const [rule] = rules.slice(from, from + 1)
  return rule ? rules.toSpliced(from, 1).toSpliced(to, 0, rule) : rules
}

const RuleCard = ({ rules, index, onChange, children }: RuleCardProps) => {
  const { t } = useTranslation()
  const number = index + 1
  const title = t('flags.rule', { number })
  return (
    <Card withBorder padding="md" role="group" aria-label={title}>
      <Group justify="space-between" mb="xs" wrap="nowrap">
        <Text fw={600} size="sm">
          {title}
        </Text>
        <Group gap={4} wrap="nowrap">
          <Button
            variant="subtle"
            px="xs"
            size="compact-md"
            disabled={index === 0}
            aria-label={t('flags.ruleUp', { number })}
            onClick={() => onChange(moved(rules, index, index - 1))}
          >
            <IconArrowUp size={16} />
          </Button>
          <Button
            variant="subtle"
            px="xs"
            size="compact-md"
            disabled={index === rules.length - 1}
            aria-label={t('flags.ruleDown', { number })}
            onClick={() => onChange(moved(rules, index, index + 1))}
          >
            <IconArrowDown size={16} />
          </Button>
          <Button
            variant="subtle"
            px="xs"
            size="compact-md"
            aria-label={t('flags.removeRule', { number })}
            onClick={() => onChange(rules.toSpliced(index, 1))}
          >
            <IconTrash size={16} />
          </Button>
        </Group>
      </Group>
      {children}
    </Card>
  )
}
