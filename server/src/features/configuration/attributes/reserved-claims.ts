/** Claims that no attribute may name: the registry of JSON Web Token Claims of IANA, and those of Tenantry. */
const registered = `
  iss sub aud exp nbf iat jti name given_name family_name middle_name nickname preferred_username profile picture website email
  email_verified gender birthdate zoneinfo locale phone_number phone_number_verified address updated_at azp nonce auth_time
  at_hash c_hash acr amr sub_jwk cnf sip_from_tag sip_date sip_callid sip_cseq_num sip_via_branch orig dest mky events toe txn
  rph sid vot vtm attest act scope client_id may_act jcard at_use_nbr div opt vc vp sph ace_profile cnonce exi roles groups
  entitlements token_introspection eat_nonce ueid sueids oemid hwmodel hwversion oemboot dbgstat location eat_profile submods
  uptime bootcount bootseed dloas swname swversion manifests measurements measres intuse cdniv cdnicrit cdniip cdniuc cdniets
  cdnistt cdnistd sig_val_claims authorization_details verified_claims place_of_birth nationalities birth_family_name
  birth_given_name birth_middle_name salutation title msisdn also_known_as htm htu ath atc sub_id rcd rcdi crn msgi
  rt_hash s_hash jwks metadata constraints crit ref delegation logo_uri authority_hints trust_anchor_hints
  trust_marks trust_mark_issuers trust_mark_owners trust_mark_type source_endpoint keys metadata_policy metadata_policy_crit
  trust_chain trust_anchor status status_list ttl vct sd_hash secboot geohash origid rdap_allowed_purposes
  rdap_dnt_allowed cmw`

const own = `
  tid tenant_id tenant_slug tenant_name tenant user_id username account person permissions role session session_id sign_in
  password secret token authorization typ gen token_use con support`

const reserved = new Set(`${registered} ${own}`.trim().split(/\s+/))

export const isReservedClaim = (name: string): boolean => reserved.has(name) || name.startsWith('tenantry')
