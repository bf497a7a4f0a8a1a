import { Button, Code, Group, Stack, Text } from '@mantine/core'
import type { Setting, SettingDefinition } from '@tenantry/client'
import { useState, type SyntheticEvent } from 'react'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { useSchemaErrors } from '../../components/schema-errors.ts'
import type { FormSchema } from '../../components/form-schema.ts'
import { SchemaInput } from '../../components/schema-input.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { writesAllSettings } from '../../session/support.ts'
import { useTranslation } from '../../translation.ts'
import { About } from './about-setting.tsx'
import { OriginBadge, resolveSetting } from './declared-list.tsx'
import { useCanWrite, useChangingSettings, useEffective } from './settings.queries.ts'
import { SettingHistory } from './setting-history.tsx'
import type { SettingScope } from './known-settings.ts'

interface DeclaredEditorProps {
  scope: SettingScope
  definition: SettingDefinition
  stored: Setting | undefined
  onClose: () => void
}

const useEditor = ({ scope, definition, stored, onClose }: DeclaredEditorProps) => {
  const { key, secret } = definition
  const { t } = useTranslation()
  const { api } = useScope()
  const notify = useNotify()
  const effective = useEffective().data?.get(key)
  const resolved = resolveSetting(scope, definition, stored, effective)
  const initial = secret ? '' : (stored?.value ?? resolved.value ?? undefined)
  const [typed, setTyped] = useState<{ value: unknown }>()
  const value = typed ? typed.value : initial
  const done = (text: 'settings.saved' | 'declared.inherited') => () => {
    notify(t(text, { key }))
    onClose()
  }
  const put = useChangingSettings(
    (next: unknown) => api.settings[scope].put(key, next),
    done('settings.saved'),
  )
  const remove = useChangingSettings(() => api.settings[scope].delete(key), done('declared.inherited'))
  return {
    resolved,
    value,
    isDirty: typed !== undefined,
    setValue: (next: unknown) => setTyped({ value: next }),
    put,
    remove,
  }
}

/** A form that is generated from the declaration of a setting. */
export const DeclaredEditor = (props: DeclaredEditorProps) => {
  const { definition, onClose } = props
  const editor = useEditor(props)
  const { isDirty, put, remove } = editor
  return (
    <FormDialog
      isDirty={isDirty}
      onClose={onClose}
      size="lg"
      title={definition.label === '' ? definition.key : definition.label}
      isPending={put.isPending || remove.isPending}
    >
      <EditorForm {...props} editor={editor} />
    </FormDialog>
  )
}

const isReached = ({ secret }: SettingDefinition): boolean => !secret || writesAllSettings

type Editing = DeclaredEditorProps & { editor: ReturnType<typeof useEditor> }

const EditorForm = (props: Editing) => {
  const { scope, stored, editor, definition } = props
  const { put, remove, value, resolved } = editor
  const isLocked = scope === 'tenant' && resolved.isLocked
  const isReadOnly = !useCanWrite(scope) || isLocked || !isReached(definition)
  const errors = useSchemaErrors()(put.error)
  const submit = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (event.currentTarget.checkValidity() && value !== undefined) put.mutate(value)
  }
  const failure = remove.error ?? (errors.size === 0 ? put.error : null)
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        <Facts {...props} />
        {failure !== null && <ErrorPanel error={failure} />}
        <Input {...props} errors={errors} isReadOnly={isReadOnly} />
        {stored && <About scope={scope} setting={stored} />}
        <Actions {...props} isReadOnly={isReadOnly} />
        <SettingHistory {...props} isReadOnly={isReadOnly} />
      </Stack>
    </form>
  )
}

const Input = ({
  definition,
  editor: { value, setValue },
  errors,
  isReadOnly,
}: Editing & { errors: ReadonlyMap<string, string>; isReadOnly: boolean }) =>
  definition.secret ? (
    <SecretInput {...{ value, setValue, isReadOnly, error: errors.get('value') }} />
  ) : (
    <SchemaInput
      schema={definition.schema as FormSchema}
      value={value}
      onChange={setValue}
      label={definition.label === '' ? definition.key : definition.label}
      path="value"
      errors={errors}
      isReadOnly={isReadOnly}
    />
  )

const Facts = ({
  definition,
  editor: { resolved },
}: DeclaredEditorProps & { editor: ReturnType<typeof useEditor> }) => {
  const { t } = useTranslation()
  return (
    <Stack gap={6}>
      {definition.description !== '' && <Text size="sm">{definition.description}</Text>}
      <Group gap="xs">
        <Code>{definition.key}</Code>
        <OriginBadge {...resolved} />
      </Group>
      {resolved.isLocked && (
        <Text size="sm" c="dimmed">
          {t('declared.lockedHint')}
        </Text>
      )}
    </Stack>
  )
}

interface SecretInputProps {
  value: unknown
  setValue: (value: unknown) => void
  isReadOnly: boolean
  error: string | undefined
}

/** Never shows the current value. A typed value replaces it. */
const SecretInput = ({ value, setValue, isReadOnly, error }: SecretInputProps) => {
  const { t } = useTranslation()
  return (
    <PasswordField
      label={t('declared.secret')}
      show={t('declared.showSecret')}
      description={t('declared.secretHint')}
      autoComplete="new-password"
      disabled={isReadOnly}
      error={error}
      value={typeof value === 'string' ? value : ''}
      onChange={({ currentTarget }) => setValue(currentTarget.value)}
    />
  )
}

const Actions = ({
  definition,
  scope,
  stored,
  onClose,
  isReadOnly,
  editor: { put, remove, isDirty },
}: DeclaredEditorProps & { editor: ReturnType<typeof useEditor>; isReadOnly: boolean }) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const mayDelete = can(scope === 'global' ? 'setting:global' : 'setting:delete')
  const mayRemove = stored !== undefined && mayDelete && isReached(definition)
  return (
    <Group justify="flex-end">
      {scope === 'global' && <LockButton definition={definition} />}
      {mayRemove && (
        <Button
          variant="subtle"
          mr="auto"
          loading={remove.isPending}
          onClick={() => remove.mutate(undefined)}
        >
          {t('declared.inherit')}
        </Button>
      )}
      <Button variant="default" onClick={onClose}>
        {t(isReadOnly ? 'common.close' : 'common.cancel')}
      </Button>
      {!isReadOnly && (
        <Button type="submit" loading={put.isPending} disabled={!isDirty}>
          {t('common.save')}
        </Button>
      )}
    </Group>
  )
}

const LockButton = ({
  definition: { key, is_locked: isLocked },
}: Pick<DeclaredEditorProps, 'definition'>) => {
  const { t } = useTranslation()
  const { api } = useScope()
  const notify = useNotify()
  const { can } = useMe()
  const change = useChangingSettings(
    () => (isLocked ? api.settings.definitions.unlock(key) : api.settings.definitions.lock(key)),
    () => notify(t(isLocked ? 'declared.unlockDone' : 'declared.lockDone', { key })),
  )
  if (!can('setting:global')) return null
  return (
    <Button variant="default" mr="auto" loading={change.isPending} onClick={() => change.mutate(undefined)}>
      {t(isLocked ? 'declared.unlock' : 'declared.lock')}
    </Button>
  )
}
