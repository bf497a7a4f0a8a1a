import {
  Autocomplete,
  Button,
  Group,
  NativeSelect,
  NumberInput,
  SegmentedControl,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { lazyPart } from '../../components/lazy-part.tsx'
import { useMe } from '../../session/me.ts'
import { useTranslation } from '../../translation.ts'
import {
  isOfUsers,
  operators,
  sumOf,
  takesValues,
  tokenAttributes,
  type TypedCondition,
  type TypedRule,
} from './flag-values.ts'
import type { ValuesProps } from './user-values.tsx'

interface RuleFieldsProps {
  /** The number of the rule, from 1. */
  number: number
  rule: TypedRule
  names: string[]
  onChange: (rule: TypedRule) => void
}

const emptyCondition: TypedCondition = { attribute: '', op: 'in', values: [] }

export const RuleFields = ({ number, rule, names, onChange }: RuleFieldsProps) => {
  const { t } = useTranslation()
  const change = (fields: Partial<TypedRule>): void => onChange({ ...rule, ...fields })
  return (
    <Stack gap="sm">
      <TextInput
        label={t('flags.note')}
        maxLength={255}
        value={rule.description}
        onChange={({ currentTarget }) => change({ description: currentTarget.value })}
      />
      <Conditions number={number} rule={rule} change={change} />
      <SegmentedControl
        aria-label={t('flags.gives')}
        data={[
          { value: 'serve', label: t('flags.serveOne') },
          { value: 'split', label: t('flags.split'), disabled: names.length < 2 },
        ]}
        value={rule.kind}
        onChange={(kind) => change({ kind: kind === 'split' ? 'split' : 'serve' })}
      />
      {rule.kind === 'serve' ? (
        <NativeSelect
          label={t('flags.variant')}
          data={names}
          value={rule.serve}
          onChange={({ currentTarget }) => change({ serve: currentTarget.value })}
        />
      ) : (
        <SplitFields rule={rule} names={names} change={change} />
      )}
    </Stack>
  )
}

interface ConditionsProps {
  number: number
  rule: TypedRule
  change: (fields: Partial<TypedRule>) => void
}

const Conditions = ({ number, rule: { conditions }, change }: ConditionsProps) => {
  const { t } = useTranslation()
  const replace = (index: number, condition: TypedCondition): void =>
    change({ conditions: conditions.with(index, condition) })
  return (
    <>
      {conditions.map((condition, index) => (
        <ConditionFields
          key={index}
          name={t('flags.conditionOf', { condition: index + 1, rule: number })}
          condition={condition}
          onChange={(changed) => replace(index, changed)}
          onRemove={() => change({ conditions: conditions.toSpliced(index, 1) })}
        />
      ))}
      {conditions.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('flags.noConditions')}
        </Text>
      )}
      {conditions.length < 10 && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={14} />}
          style={{ alignSelf: 'flex-start' }}
          onClick={() => change({ conditions: [...conditions, emptyCondition] })}
        >
          {t('flags.addCondition')}
        </Button>
      )}
    </>
  )
}

const Values = ({ values, onChange }: ValuesProps) => {
  const { t } = useTranslation()
  return (
    <TagsInput
      flex="2 1 12rem"
      label={t('flags.values')}
      placeholder={values.length === 0 ? t('flags.valuesHint') : ''}
      value={values}
      onChange={onChange}
      acceptValueOnBlur
    />
  )
}

// Lazy, because most rules name no users.
const LazyUserValues = lazyPart<ValuesProps>(
  async () => (await import('./user-values.tsx')).UserValues,
  (props) => <Values {...props} />,
)

interface ConditionFieldsProps {
  name: string
  condition: TypedCondition
  onChange: (condition: TypedCondition) => void
  onRemove: () => void
}

const ConditionFields = ({ name, condition, onChange, onRemove }: ConditionFieldsProps) => {
  const { t } = useTranslation()
  const { attribute, op, values } = condition
  const Field = useMe().can('user:read') && isOfUsers(condition) ? LazyUserValues : Values
  return (
    <Group align="flex-end" gap="xs" wrap="nowrap" role="group" aria-label={name}>
      <Group align="flex-end" gap="xs" flex={1}>
        <Autocomplete
          flex="1 1 8rem"
          label={t('flags.attribute')}
          placeholder="plan"
          maxLength={64}
          spellCheck={false}
          data={tokenAttributes}
          value={attribute}
          onChange={(changed) => onChange({ ...condition, attribute: changed })}
        />
        <NativeSelect
          flex="1 1 9rem"
          label={t('flags.operator')}
          data={operators.map((value) => ({ value, label: t(`flagOperators.${value}`) }))}
          value={op}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...condition, op: operators.find((one) => one === value) ?? op })
          }
        />
        {takesValues(op) && (
          <Field values={values} onChange={(changed) => onChange({ ...condition, values: changed })} />
        )}
      </Group>
      <Button variant="subtle" px="xs" aria-label={t('flags.removeCondition', { name })} onClick={onRemove}>
        <IconTrash size={16} />
      </Button>
    </Group>
  )
}

interface SplitFieldsProps {
  rule: TypedRule
  names: string[]
  change: (fields: Partial<TypedRule>) => void
}

const SplitFields = ({ rule, names, change }: SplitFieldsProps) => {
  const { t } = useTranslation()
  const { shares } = rule
  const sum = sumOf(shares)
  return (
    <Stack gap="xs">
      <Group gap="xs" align="flex-end">
        {names.map((name) => (
          <NumberInput
            key={name}
            flex="1 1 7rem"
            label={name}
            suffix=" %"
            min={0}
            max={100}
            decimalScale={3}
            value={shares[name] ?? 0}
            onChange={(percent) => change({ shares: { ...shares, [name]: Number(percent) || 0 } })}
          />
        ))}
      </Group>
      <Text size="sm" role="status" {...(sum === 100 ? { c: 'dimmed' } : { c: 'var(--text-bad)' })}>
        {t(sum === 100 ? 'flags.sum' : 'flags.sumFault', { sum })}
      </Text>
      <TextInput
        label={t('flags.bucketBy')}
        description={t('flags.bucketByHint')}
        maxLength={64}
        spellCheck={false}
        value={rule.bucketBy}
        onChange={({ currentTarget }) => change({ bucketBy: currentTarget.value })}
      />
    </Stack>
  )
}
