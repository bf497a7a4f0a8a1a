import { ApiError, type ErrorReason } from '@tenantry/client'

interface FormLike {
  getValues: () => object
  setErrors: (errors: Record<string, string>) => void
}

/** Conflicts about one field, which the service names only by the error code. */
const fieldOfReason: Partial<Record<ErrorReason, string>> = {
  emailTaken: 'email',
  usernameTaken: 'username',
  slugTaken: 'slug',
  providerSlugTaken: 'slug',
  roleNameTaken: 'name',
  templateNameTaken: 'name',
  permissionCodeTaken: 'code',
  serviceAccountNameTaken: 'name',
  oldPasswordWrong: 'old_password',
  codeWrong: 'code',
  factorWrong: 'code',
}

/**
 * Shows the service's refusal beside its field. The form's fields must have the names of the API. Returns false if an
 * error remains, which an `ErrorPanel` above the form must show.
 */
export const showFieldErrors = (
  form: FormLike,
  error: unknown,
  textOf: (error: unknown) => string,
): boolean => {
  if (!(error instanceof ApiError)) return false
  const named = fieldOfReason[error.reason]
  // An entry of a list, such as `events.2`, belongs to the field of the list.
  const found = named === undefined ? error.fields.map(({ field }) => field.replace(/\.\d+$/, '')) : [named]
  const shown = found.filter((field) => Object.hasOwn(form.getValues(), field))
  if (shown.length > 0) form.setErrors(Object.fromEntries(shown.map((field) => [field, textOf(error)])))
  return shown.length > 0 && shown.length === found.length
}
