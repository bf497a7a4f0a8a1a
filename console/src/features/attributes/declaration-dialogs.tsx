import {
  Code,
  Group,
  NativeSelect,
  NumberInput,
  Switch,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { ApiError, type Attribute } from '@tenantry/client'
import { useState } from 'react'
import { labelOf } from '../../components/attribute-values.ts'
import { ConfirmChange } from '../../components/confirm-change.tsx'
import { FieldsDialog } from '../../components/form-dialog.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { isolated } from '../../isolate.ts'
import { client } from '../../session/client.ts'
import { useTranslation } from '../../translation.ts'
import type { Subject } from './attributes.queries.ts'
import { RefusedValues } from './refused-values.tsx'
import {
  accesses,
  declarationOf,
  limitsOf,
  otherRulesIn,
  putOf,
  types,
  type Declaration,
} from './declaration.ts'
import { useRenew } from '../../components/use-renew.ts'

interface DeclareProps {
  subject: Subject
  /** Undefined for a new one. */
  attribute?: Attribute
  onClose: () => void
}

type Form = UseFormReturnType<Declaration>

/** A key, and the name of a claim. */
const namePattern = /^[a-z][a-z0-9_]{0,63}$/

const useDeclaration = ({ subject, attribute, onClose }: DeclareProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const renew = useRenew()
  const [isForced, force] = useState(false)
  const isName = (text: string) => (namePattern.test(text) ? null : t('attributeForms.nameFault'))
  const form = useForm<Declaration>({
    initialValues: declarationOf(attribute),
    validate: { key: isName, claim: (text) => (text.trim() === '' ? null : isName(text.trim())) },
    onValuesChange: (values, previous) => {
      // The service refuses these together.
      if (values.type !== previous.type && values.type === 'array') form.setFieldValue('indexed', false)
      if (values.administrators !== 'write' && values.scim !== '') form.setFieldValue('scim', '')
    },
  })
  const sending = useSubmit(form, async (values) => {
    await client.attributes.put(subject, values.key, {
      ...putOf(values, attribute),
      ...(isForced && { force: true }),
    })
    onClose()
    notify(t('attributeForms.saved', { key: values.key }))
    await renew()
  })
  return { form, sending, isForced, force }
}

/** Declares an attribute, or changes its declaration. */
export const DeclareDialog = (props: DeclareProps) => {
  const { t } = useTranslation()
  const { subject, attribute, onClose } = props
  const { form, sending, isForced, force } = useDeclaration(props)
  const { error } = sending
  const refused = error instanceof ApiError && error.reason === 'storedValuesRefused' ? error : undefined
  return (
    <FieldsDialog
      title={
        attribute ? t('attributeForms.editOne', { key: attribute.key }) : t(`attributeForms.${subject}New`)
      }
      submit={t(attribute ? 'common.save' : 'attributeForms.declare')}
      isReady={!attribute || form.isDirty()}
      size="lg"
      {...{ form, onClose }}
      sending={refused ? { ...sending, error: undefined } : sending}
    >
      <Names form={form} isNew={!attribute} />
      <Type form={form} attribute={attribute} />
      <Readers form={form} subject={subject} />
      <Uses form={form} subject={subject} />
      {refused && <RefusedValues error={refused} isForced={isForced} onForce={force} />}
    </FieldsDialog>
  )
}

const Names = ({ form, isNew }: { form: Form; isNew: boolean }) => {
  const { t } = useTranslation()
  return (
    <>
      <TextInput
        label={t('attributeForms.key')}
        description={t(isNew ? 'attributeForms.keyHint' : 'attributeForms.keyFixed')}
        required
        disabled={!isNew}
        autoComplete="off"
        spellCheck={false}
        {...(isNew && { 'data-autofocus': true })}
        {...form.getInputProps('key')}
      />
      <Group grow align="flex-start">
        <TextInput label={t('attributeForms.en')} maxLength={64} {...form.getInputProps('en')} />
        <TextInput label={t('attributeForms.zh')} maxLength={64} {...form.getInputProps('zh')} />
      </Group>
      <Textarea
        label={t('fields.description')}
        description={t('attributeForms.descriptionHint')}
        autosize
        minRows={1}
        maxRows={6}
        maxLength={1000}
        {...form.getInputProps('description')}
      />
      <TextInput
        label={t('attributeForms.group')}
        description={t('attributeForms.groupHint')}
        maxLength={64}
        {...form.getInputProps('group')}
      />
    </>
  )
}

const Type = ({ form, attribute }: { form: Form; attribute: Attribute | undefined }) => {
  const { t } = useTranslation()
  const others = attribute ? otherRulesIn(attribute.schema) : {}
  return (
    <>
      <NativeSelect
        label={t('attributeForms.type')}
        description={t('attributeForms.typeHint')}
        disabled={attribute !== undefined}
        data={types.map((value) => ({ value, label: t(`attributeTypes.${value}`) }))}
        {...form.getInputProps('type')}
      />
      <Limits form={form} />
      {Object.keys(others).length > 0 && (
        <Text size="sm" c="dimmed" className="breakable">
          {t('attributeForms.others')} <Code>{isolated(JSON.stringify(others))}</Code>
        </Text>
      )}
    </>
  )
}

const Limits = ({ form }: { form: Form }) => {
  const { t } = useTranslation()
  const numbers = limitsOf[form.values.type].filter((name) => name !== 'options' && name !== 'pattern')
  const offered = new Set(limitsOf[form.values.type])
  return (
    <>
      {offered.has('options') && (
        <TagsInput
          label={t('attributeForms.options')}
          description={t('attributeForms.optionsHint')}
          {...form.getInputProps('options')}
        />
      )}
      {numbers.length > 0 && (
        <Group grow align="flex-start">
          {numbers.map((name) => (
            <NumberInput key={name} label={t(`attributeLimits.${name}`)} {...form.getInputProps(name)} />
          ))}
        </Group>
      )}
      {offered.has('pattern') && (
        <TextInput
          label={t('attributeForms.pattern')}
          description={t('attributeForms.patternHint')}
          maxLength={256}
          spellCheck={false}
          {...form.getInputProps('pattern')}
        />
      )}
    </>
  )
}

interface PartProps {
  form: Form
  subject: Subject
}

const Readers = ({ form, subject }: PartProps) => {
  const { t } = useTranslation()
  const choices = accesses.map((value) => ({ value, label: t(`attributeAccess.${value}`) }))
  return (
    <Group grow align="flex-start">
      <NativeSelect
        label={t('attributeForms.administrators')}
        description={t('attributeForms.administratorsHint')}
        data={choices}
        {...form.getInputProps('administrators')}
      />
      {subject === 'user' && (
        <NativeSelect
          label={t('attributeForms.self')}
          description={t('attributeForms.selfHint')}
          data={choices}
          {...form.getInputProps('self')}
        />
      )}
    </Group>
  )
}

const Uses = ({ form, subject }: PartProps) => {
  const { t } = useTranslation()
  const { type, indexed, sensitive, claim, administrators } = form.values
  return (
    <>
      <Switch
        label={t('attributeForms.indexed')}
        description={t('attributeForms.indexedHint')}
        disabled={!indexed && (type === 'array' || sensitive)}
        {...form.getInputProps('indexed', { type: 'checkbox' })}
      />
      <Switch
        label={t('attributeForms.sensitive')}
        description={t('attributeForms.sensitiveHint')}
        disabled={!sensitive && (indexed || claim !== '')}
        {...form.getInputProps('sensitive', { type: 'checkbox' })}
      />
      <TextInput
        label={t('attributeForms.claim')}
        description={t('attributeForms.claimHint')}
        disabled={sensitive}
        spellCheck={false}
        {...form.getInputProps('claim')}
      />
      {subject === 'user' && (
        <TextInput
          label={t('attributeForms.scim')}
          description={t('attributeForms.scimHint')}
          disabled={administrators !== 'write'}
          spellCheck={false}
          {...form.getInputProps('scim')}
        />
      )}
    </>
  )
}

export const DeleteAttribute = ({ attribute, onClose }: { attribute: Attribute; onClose: () => void }) => {
  const { t, language } = useTranslation()
  const { subject, key } = attribute
  return (
    <ConfirmChange
      title={t('attributeForms.deleteTitle', { name: labelOf(attribute, language) })}
      confirm={t('attributeForms.delete')}
      word={key}
      send={() => client.attributes.delete(subject, key)}
      onClose={onClose}
      done={t('attributeForms.deleted', { key })}
    >
      {t('attributeForms.deleteText')}
    </ConfirmChange>
  )
}
