import { ApiError, type ErrorReason } from '@tenantry/client'

/** The part of a Mantine form that this file needs. */
interface FormLike {
  getValues: () => object
  setErrors: (errors: Record<string, string>) => void
}

/** Conflicts about one field; the service names that field only by the error code. */
const fieldOfReason: Partial<Record<ErrorReason, string>> = {
  emailTaken: 'email',
  usernameTaken: 'username',
  slugTaken: 'slug',
  roleNameTaken: 'name',
  templateNameTaken: 'name',
  permissionCodeTaken: 'code',
  serviceAccountNameTaken: 'name',
  oldPasswordWrong: 'old_password',
  codeWrong: 'code',
  factorWrong: 'code',
}

/**
 * Puts the service's refusal beside its field; forms check the text itself earlier (field-checks.ts). Returns false
 * if an error is left for an `ErrorPanel` above the form. Form fields have the API's names.
 */
export const showFieldErrors = (
  form: FormLike,
  error: unknown,
  textOf: (error: unknown) => string,
): boolean => {
  if (!(error instanceof ApiError)) return false
  const named = fieldOfReason[error.reason]
  // An entry of a list, as in `events.2`, belongs to the field of the list.
  const found = named === undefined ? error.fields.map(({ field }) => field.replace(/\.\d+$/, '')) : [named]
  const shown = found.filter((field) => Object.hasOwn(form.getValues(), field))
  if (shown.length > 0) form.setErrors(Object.fromEntries(shown.map((field) => [field, textOf(error)])))
  return shown.length > 0 && shown.length === found.length
}
