import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Setting } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { ConfirmModal, mutationProps } from '../../components/confirm-modal.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { JsonView } from '../../components/json-view.tsx'
import { useDraft } from '../../components/use-draft.ts'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { useMe } from '../../session/me.ts'
import { kindOf, useJsonFault, ValueInput, type SettingValues } from './value-input.tsx'
import { readJson } from '../../components/json-text.ts'
import { hasForm, type SettingScope } from './known-settings.ts'
import { About } from './about-setting.tsx'
import { useCanWrite, useDeleteSetting, usePutSetting } from './settings.queries.ts'

interface SettingEditorProps {
  scope: SettingScope
  /** The setting to edit; undefined for a new setting. */
  setting: Setting | undefined
  taken: string[]
  onClose: () => void
}

/** An editor for a setting, or a view of it for callers without `setting:update`. */
export const SettingEditor = (props: SettingEditorProps) => {
  const { setting, scope, onClose } = props
  const canWrite = useCanWrite(scope)
  if (!setting || canWrite) return <EditorDialog {...props} />
  return (
    <Dialog opened onClose={onClose} size="lg" title={setting.key}>
      <Shown scope={scope} setting={setting} onClose={onClose} />
    </Dialog>
  )
}

/** A view for callers who may not change the setting. They may still be allowed to delete it. */
const Shown = ({ scope, setting, onClose }: Omit<SettingEditorProps, 'taken'> & { setting: Setting }) => {
  const { t } = useTranslation()
  return (
    <Stack>
      <JsonView value={setting.value} label={t('settings.value')} />
      <About scope={scope} setting={setting} />
      <Group justify="flex-end">
        <DeleteButton scope={scope} settingKey={setting.key} onDone={onClose} />
        <Button variant="default" onClick={onClose}>
          {t('common.close')}
        </Button>
      </Group>
    </Stack>
  )
}

const EditorDialog = (props: SettingEditorProps) => {
  const { t } = useTranslation()
  const { setting, onClose } = props
  const { form, ...sending } = useEditor(props)
  return (
    <FormDialog
      isDirty={form.isDirty()}
      onClose={onClose}
      size="lg"
      title={setting?.key ?? t('settings.create')}
      isPending={sending.isSending}
    >
      <EditorForm {...props} form={form} {...sending} />
    </FormDialog>
  )
}

/** docs/contract.md, "Settings". */
const keyPattern = /^[A-Za-z0-9._:-]{1,128}$/

const useKeyFault = (scope: SettingScope, taken: string[]) => {
  const { t } = useTranslation()
  return (key: string): string | null => {
    if (!keyPattern.test(key)) return t('settings.keyInvalid')
    if (hasForm(scope, key)) return t('settings.keyForm')
    if (hasForm('tenant', key)) return t('settings.keyOfTenants')
    if (hasForm('global', key)) return t('settings.keyOfAllTenants')
    return taken.includes(key) ? t('settings.keyTaken') : null
  }
}

const initialOf = (setting: Setting | undefined): SettingValues =>
  setting
    ? { key: setting.key, kind: kindOf(setting.value), value: JSON.stringify(setting.value, undefined, 2) }
    : { key: '', kind: 'text', value: '""' }

/** Shows faults while the user types: JSON can be long, and the message names the position. */
const useEditor = ({ scope, setting, taken, onClose }: SettingEditorProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const keyFault = useKeyFault(scope, taken)
  const jsonFault = useJsonFault()
  const form = useForm<SettingValues>({
    initialValues: initialOf(setting),
    validateInputOnChange: true,
    validate: {
      ...(setting ? {} : { key: keyFault }),
      value: (text, { kind }) =>
        text === '' && kind !== 'json' ? t('fieldFaults.missing') : jsonFault(readJson(text)),
    },
  })
  useDraft(`setting ${scope} ${setting?.key ?? ''}`, form)
  const put = usePutSetting(scope, ({ key }) => {
    notify(t('settings.saved', { key }))
    onClose()
  })
  const sending = useSubmit(form, async ({ key, value }) => {
    const read = readJson(value)
    if ('value' in read) await put.mutateAsync({ key, value: read.value })
  })
  return { form, ...sending }
}

type EditorFormProps = SettingEditorProps & ReturnType<typeof useEditor>

const EditorForm = ({ scope, setting, onClose, form, onSubmit, isSending, error }: EditorFormProps) => {
  const { t } = useTranslation()
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack>
        {error !== undefined && <ErrorPanel error={error} isOfForm />}
        {!setting && (
          <TextInput
            label={t('settings.key')}
            description={t('settings.keyHint')}
            required
            autoComplete="off"
            spellCheck={false}
            data-autofocus
            {...form.getInputProps('key')}
          />
        )}
        <ValueInput form={form} />
        {setting && <About scope={scope} setting={setting} />}
        <Group justify="flex-end">
          {setting && <DeleteButton scope={scope} settingKey={setting.key} onDone={onClose} />}
          <Button variant="default" disabled={isSending} onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={isSending}>
            {t(setting ? 'common.save' : 'settings.create')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface DeleteButtonProps {
  scope: SettingScope
  settingKey: string
  onDone: () => void
}

const DeleteButton = ({ scope, settingKey, onDone }: DeleteButtonProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { can } = useMe()
  const [isAsking, setAsking] = useState(false)
  const remove = useDeleteSetting(scope, () => {
    notify(t('settings.deleted', { key: settingKey }))
    onDone()
  })
  if (!can(scope === 'global' ? 'setting:global' : 'setting:delete')) return null
  return (
    <>
      <Button variant="subtle" color="red" c="var(--text-bad)" mr="auto" onClick={() => setAsking(true)}>
        {t('settings.delete')}
      </Button>
      <ConfirmModal
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t('settings.deleteTitle', { key: settingKey })}
        confirm={t('settings.delete')}
        {...mutationProps(remove, settingKey)}
      >
        <Text span size="sm" className="whole">
          {t(scope === 'global' ? 'settingTexts.deleteGlobal' : 'settings.deleteText')}
        </Text>
      </ConfirmModal>
    </>
  )
}
