"""Finds tokens by their vendors' forms: `gsk_…`, `glptt-…`, `AKIA…`.

Three sets of rules find those that are known. MAKERS are prefixes that no other vendor uses, each with the
least length of a token; what follows may be longer, so that a vendor who makes tokens longer needs no new
rule. FORMS are exact patterns of vendors whose prefix alone says too little. Both are made from the
vendors' own documentation. `vendor_tokens.json` are the rules of gitleaks (tools/update_vendor_tokens.py).

Patterns are tried only where one of their literal strings stands. A try costs a bounded time and
what was found is not read again, so the time grows with the length of a text alone. Last, whoever its
vendor is, a short prefix before thirty or more signs that were plainly drawn makes a token.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from zsh_ls.lazy import attrs, re
from zsh_ls.model.span import Span
from zsh_ls.shell.syntax._regex import compiled
from zsh_ls.shell.words.vocabulary import word_set

from .names import looks_random, parts

# The vendor, the least length of a token, its prefixes.
MAKERS = """
Adafruit            30 aio_
Airtable            30 patx
Aiven               20 AVNS_
Alchemy             34 alcht_
Amazon              40 amzn1.oa2-cs.v1. amzn.mws.
Anthropic           40 sk-ant-
Anyscale            40 aph0_
Apify               40 apify_api_
Atlassian           30 ATATT3 ATCTT3 ATBB
AWS                 20 AKIA ASIA ABIA
Axiom               36 xaat- xapt-
Brevo               60 xkeysib- xsmtpsib-
Browserbase         30 bb_live_
Buildkite           40 bkua_
Cerebras            40 csk-
CircleCI            50 CCIPAT_ CCIPRJ_
Cloudflare          36 cfut_ cfat_
CockroachDB         50 CCDB1_
Contentful          40 CFPAT-
Databricks          34 dapi
dbt Cloud           36 dbtc_ dbtu_
Deno                36 ddp_ ddo_
Depot               60 depot_project_ depot_org_
DigitalOcean        30 dop_v1_ doo_v1_ dor_v1_
Docker              30 dckr_pat_ dckr_oat_
Doppler             36 dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.
Dropbox             60 sl.u.
Dynatrace           60 dt0c01. dt0s01. dt0s16.
E2B                 36 e2b_
Elastic             40 essu_
Figma               30 figd_ figo_
Flutterwave         36 FLWSECK-
Fly.io              40 fo1_ fm1a_ fm1r_ fm2_
GitHub              24 ghp_ gho_ ghu_ ghs_ ghr_ github_pat_
GitLab              24 glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct-
Google              30 AIza ya29. GOCSPX- AQ.Ab8
Grafana             30 glsa_ glc_
Groq                40 gsk_
Heroku              60 HRKU-
Honeycomb           30 hcaik_ hcxik_ hcaic_
HubSpot             40 pat-na1- pat-eu1-
Hugging Face        24 hf_ api_org_
Inngest             40 signkey-
Ionic               40 ion_
JFrog               60 AKCp cmVmd
Jina                40 jina_
JSON Web Token      30 eyJ
JSR                 36 jsrp_ jsrd_
Kaggle              36 KGAT_
LambdaTest          50 LT_
LangSmith           36 lsv2_pt_ lsv2_sk_
Linear              30 lin_api_ lin_oauth_
LlamaCloud          40 llx-
Logfire             40 pylf_v
MailerSend          60 mlsn.
Mapbox              60 sk.eyJ
Matrix              36 syt_ mct_
Meta                24 EAAC IGQV IGQW IGAA
MongoDB Atlas       40 mdb_sa_sk_
n8n                 40 n8n_api_
Neon                50 napi_
NetBird             36 nbp_
Netlify             24 nfp_
New Relic           30 NRAK- NRII-
Notion              40 ntn_ secret_
npm                 24 npm_
NVIDIA              40 nvapi-
OneSignal           80 os_v2_app_ os_v2_org_
Open VSX            40 ovsxat_ ovsxp_
OpenRouter          40 sk-or-
Ory                 40 ory_at_ ory_rt_ ory_pat_ ory_apikey_ ory_st_
Packagist           60 packagist_
Paddle              50 pdl_live_apikey_ pdl_sdbx_apikey_
Perplexity          40 pplx-
Pinecone            40 pcsk_
PlanetScale         36 pscale_tkn_ pscale_pw_ pscale_oauth_
Polar               40 polar_oat_ polar_pat_ polar_whs_
Portainer           40 ptr_
PostHog             30 phc_ phx_
Postman             30 PMAK-
Prefect             36 pnu_ pnb_
Pulumi              24 pul-
PyPI                24 pypi-
QuickNode           32 QN_
Replicate           30 r8_
Retool              30 retool_01
Rootly              60 rootly_
RubyGems            30 rubygems_
RunPod              40 rpa_
SendGrid            24 SG.
Sentry              30 sntrys_ sntryu_
Shopify             20 shpat_ shpss_ shpca_ shppa_ prtapi_
Slack               20 xoxb- xoxp- xoxa- xoxe. xoxe- xoxs- xoxr- xapp-
Snyk                50 snyk_uat. snyk_sat.
Socket              40 sktsec_
Sonar               40 sqp_ squ_ sqa_
Sourcegraph         40 sgp_
Square              26 sq0atp- sq0csp-
Stripe              20 sk_live_ sk_test_ rk_live_ rk_test_ whsec_
Supabase            30 sbp_ sb_secret_
Tailscale           30 tskey-
Tavily              36 tvly-
Tigris              40 tsec_
Tinybird            60 p.eyJ
Together            40 tgp_v1_
Trigger.dev         24 tr_prod_ tr_dev_ tr_stg_ tr_pat_
Typeform            40 tfp_
Unkey               24 unkey_
Val Town            30 vtwn_
Vault               20 hvs. hvb. hvr.
Vercel              40 vercel_blob_rw_ vcp_
Weights & Biases    40 wandb_v1_
xAI                 40 xai-
Xata                30 xau_
Zuplo               40 zpka_
age                 30 AGE-SECRET-KEY-
"""
_HEX_ID = "[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
# The vendor, a literal string of the token, how far in it stands, the token's pattern.
FORMS = rf"""
Akamai        akab-   0 akab-[a-z0-9]{{16}}-[a-z0-9]{{16}}
Alibaba       LTAI    0 LTAI[A-Za-z0-9]{{12,26}}
Asana         1/      0 1/[0-9]{{10,20}}:[0-9a-f]{{32}}
Asana         2/      0 2/[0-9]{{10,20}}/[0-9]{{10,20}}:[0-9a-f]{{32}}
AWS           IQoJb3JpZ2lu 0 IQoJb3JpZ2lu[A-Za-z0-9+/]{{60,3000}}={{0,2}}
AWS           FwoGZXIvYXdz 0 FwoGZXIvYXdz[A-Za-z0-9+/]{{60,3000}}={{0,2}}
Azure         AZDO   76 [A-Za-z0-9]{{76}}AZDO[A-Za-z0-9]{{4}}
Azure         +ASt   76 [A-Za-z0-9+/]{{76}}\+ASt[A-Za-z0-9+/]{{6}}==
Azure         ACDb   76 [A-Za-z0-9+/]{{76}}ACDb[A-Za-z0-9+/]{{6}}==
Azure         AzFu   44 [A-Za-z0-9_-]{{44}}AzFu[A-Za-z0-9_-]{{8}}==
Azure         AzSe   42 [A-Za-z0-9]{{42}}AzSe[A-D][A-Za-z0-9]{{5}}
Azure         +ACR   42 [A-Za-z0-9+/]{{42}}\+ACR[A-Za-z0-9]{{6}}
Backblaze     K00     0 K00[0-9][A-Za-z0-9+/_-]{{27}}
Bitwarden     0.      0 0\.{_HEX_ID}\.[A-Za-z0-9]{{30}}:[A-Za-z0-9+/]{{22}}==
Boundary      at_     0 at_[A-Za-z0-9]{{10}}_s1[1-9A-HJ-NP-Za-km-z]{{40,300}}
Braintree     access_token$ 0 access_token\$(?:production|sandbox)\$[a-z0-9]{{16}}\$[0-9a-f]{{32}}
Cal.com       cal_    0 cal_(?:live_)?[0-9a-f]{{32}}
Chromatic     chpt_   0 chpt_[0-9a-f]{{15}}
ClickUp       pk_     0 pk_[0-9]{{5,10}}_[A-Z0-9]{{32}}
Confluent     cflt    0 cflt[A-Za-z0-9+/]{{50,80}}
crates.io     cio     0 cio[A-Za-z0-9]{{32}}
Cursor        key_    0 key_[0-9a-f]{{64}}
ElevenLabs    sk_     0 sk_[0-9a-f]{{48}}
Firecrawl     fc-     0 fc-[0-9a-f]{{32}}
Fireworks     fw_     0 fw_[A-Za-z0-9]{{20,30}}
Google        1//0    0 1//0[A-Za-z0-9_-]{{38,200}}
Helicone      sk-helicone- 0 sk-helicone-(?:[a-z]{{2}}-)?[A-Za-z0-9]{{7}}(?:-[A-Za-z0-9]{{7}}){{2,3}}
Hugging Face  hf_     0 hf_[A-Za-z0-9]{{34}}
Hugging Face  api_org_ 0 api_org_[A-Za-z0-9]{{34}}
Infisical     st.     0 st\.[0-9a-f]{{24}}\.[0-9a-f]{{32}}\.[0-9a-f]{{32}}
Kit           kit_    0 kit_[0-9a-f]{{32}}
Klaviyo       pk_     0 pk_[0-9a-f]{{34}}
Langfuse      sk-lf-  0 sk-lf-{_HEX_ID}
LaunchDarkly  sdk-    0 sdk-{_HEX_ID}
LaunchDarkly  mob-    0 mob-{_HEX_ID}
LinkedIn      WPL_AP  0 WPL_AP[0-9]\.[A-Za-z0-9]{{16}}\.[A-Za-z0-9+/]{{6,8}}={{0,2}}
Modal         ak-     0 ak-[A-Za-z0-9]{{22}}
Modal         as-     0 as-[A-Za-z0-9]{{22}}
New Relic     NRAL   36 [0-9a-fA-F]{{36}}NRAL
ngrok         2       0 2[A-Za-z0-9]{{26}}_[A-Za-z0-9]{{21}}
ntfy          tk_     0 tk_[a-z0-9]{{29}}
NuGet         oy2     0 oy2[a-z0-9]{{43}}
OpenAI        sk-     0 sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{{20,300}}
OpenAI        sk-     0 sk-[A-Za-z0-9]{{20,100}}[A-Za-z0-9_-]{{0,300}}
Percy         web_    0 web_[0-9a-f]{{64}}
Rancher       token-  0 token-[a-z0-9]{{5}}:[a-z0-9]{{54}}
Render        rnd_    0 rnd_[A-Za-z0-9]{{26,40}}
Resend        re_     0 re_[A-Za-z0-9]{{8}}_[A-Za-z0-9]{{24}}
Telnyx        KEY     0 KEY[0-9A-F]{{32}}_[A-Za-z0-9]{{22}}
Tencent       AKID    0 AKID[A-Za-z0-9]{{32}}
Trello        ATTA    0 ATTA[0-9a-f]{{64}}[0-9A-F]{{0,8}}
Twitch        oauth:  0 oauth:[a-z0-9]{{30}}
Twitch        live_   0 live_[0-9]{{6,12}}_[A-Za-z0-9]{{24,40}}
Unleash       development. 0 development\.[0-9a-f]{{56}}
Unleash       production. 0 production\.[0-9a-f]{{56}}
Voyage        pa-     0 pa-[A-Za-z0-9_-]{{43}}
WakaTime      waka_   0 waka_{_HEX_ID}
"""
# Two vendors' tokens have no literal string at all.
_WITHOUT_LITERAL = re.compile(
    r"(?<![\w.-])[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}(?![\w-])"  # Discord
    r"|(?<![\w.-])[0-9]{8,10}:AA[A-Za-z0-9_-]{32,33}(?![\w-])",  # Telegram
    re.ASCII,
)

# A short name and a long part that was drawn: `pat_9fKq…`, `QX_9fKq…=`. The vendor may be any. What is
# part of an address or of a name of a file stays, and so does a checksum (`sha512-…`).
_DRAWN = re.compile(
    r"(?<![\w.\-/])(?!(?i:sha)[0-9])(?:[A-Za-z][A-Za-z0-9]{1,11}[_-]){1,3}"
    r"(?P<drawn>[A-Za-z0-9]{30,200}|[A-Za-z0-9+/]{27,200}={1,2})(?![\w.\-/+=])",
    re.ASCII,
)
_DRAWN_ENTROPY = 4.0

LEAST_TOKEN = 20
# A quick look: no token is shorter, and each has so long a stretch of these.
LONG_STRETCH = rf"[A-Za-z0-9_.+~:-]{{{LEAST_TOKEN}}}"
_LONG_STRETCH = re.compile(LONG_STRETCH, re.ASCII)
_BODY = compiled(r"(?:[A-Za-z0-9_.\-]++|%2[Bb])*+")
_MIXED = re.compile(r"(?=(?:[^0-9]*+[0-9]){2})(?:[^A-Za-z]*+[A-Za-z]){4}")
# A name of a file has words and years apart, `tsec_data_of_2026`; what was drawn has both in one piece.
_TOUCH = re.compile(r"[A-Za-z][0-9]|[0-9][A-Za-z]")
# What may still belong to it. Behind a slash more of it follows only if it looks drawn.
_REST = compiled(
    r"(?:[A-Za-z0-9_\-]++|[+=]++|%2[Bb]|\.(?=[A-Za-z0-9])"
    r"|/(?=[^/\s]{0,200}[A-Z])(?=[^/\s]{0,200}[0-9]))*+"
)
_JUDGED = 400  # characters of a token that are examined
# Last parts of names with which the value is no token: `HEROKU_APP_ID=…`.
_OTHER_THINGS = word_set(
    """id ids url uri host project org organization team base workspace folder name user username site
    zone channel guild sha commit release version image tag bucket region path file dir digest hash
    checksum build revision room server app client public"""
)


@attrs.frozen
class TokenForm:
    """An exact pattern, which begins `before` characters ahead of one of its literals."""

    name: str
    literals: tuple[str, ...]
    before: int
    pattern: str
    entropy: float = 0.0

    def end(self, text: str, start: int) -> int:
        """The end of the token that begins at `start`; -1 if there is none."""
        found = _compiled(self.pattern).match(text, start)
        return found.end() if found and entropy(found[0][:_JUDGED]) >= self.entropy else -1


@attrs.frozen
class _Rules:
    """All rules, by the literal strings at which they are tried."""

    anywhere: re.Pattern[str]
    makers: dict[str, int]
    forms: dict[str, tuple[TokenForm, ...]]


def tokens(text: str) -> Iterator[Span]:
    """The spans of tokens of known form in `text`."""
    if not _LONG_STRETCH.search(text):
        return
    rules, end = _rules(), 0
    for found in rules.anywhere.finditer(text):
        if found.start() < end:
            continue
        span = _by_form(rules, text, found, end) or _by_prefix(rules, text, found)
        if span is not None:
            rest = _REST.match(text, span.end)
            end = rest.end() if rest else span.end
            yield Span(span.start, end)
    for found in _WITHOUT_LITERAL.finditer(text):
        if looks_random(found[0]):
            yield Span(*found.span())
    for found in _DRAWN.finditer(text):
        if _is_drawn(found["drawn"]):
            yield Span(*found.span())


def _is_drawn(part: str) -> bool:
    """Whether digits, capitals and small letters are as mixed as no name and no hash has them."""
    kinds = (str.isdigit, str.isupper, str.islower)
    return all(sum(map(kind, part)) >= 3 for kind in kinds) and entropy(part) >= _DRAWN_ENTROPY


def may_name_a_vendor(name: str) -> bool:
    """A fast check: whether `names_its_vendor` can be true for `name`."""
    return _vendors().search(name) is not None


def names_its_vendor(name: str, value: str) -> bool:
    """Whether `name` contains a vendor and `value` has the form of its secrets: `CODECOV=…`."""
    if len(value) < LEAST_TOKEN or not looks_random(value[:_JUDGED]):
        return False
    if not _OTHER_THINGS.isdisjoint(parts(name)[-1:]):
        return False
    return any(
        _compiled(f"(?i:{names})").search(name) and _compiled(pattern).fullmatch(value)
        for names, pattern in _named_rules()
    )


def entropy(text: str) -> float:
    """Shannon entropy in bits per character: words have 2 to 3, random letters and digits over 4."""
    counts = Counter(text).values()
    return -sum(count / len(text) * math.log2(count / len(text)) for count in counts)


def _by_prefix(rules: _Rules, text: str, found: re.Match[str]) -> Span | None:
    """A token with a known prefix at the match, the longest possible prefix first."""
    literal, start = found[0], found.start()
    for length in range(len(literal), 1, -1):
        least = rules.makers.get(literal[:length])
        if least is None:
            continue
        head = _BODY.match(text, start, start + _JUDGED)
        end = head.end() if head else start
        is_mixed = _MIXED.match(text, start, end) and _TOUCH.search(text, start + length, end)
        if end - start >= least and is_mixed:
            return Span(start, end)
    return None


def _by_form(rules: _Rules, text: str, found: re.Match[str], free: int) -> Span | None:
    """A token with an exact pattern that begins at `free`, the end of the previous one, or later."""
    for form in rules.forms.get(found[0], ()):
        start = found.start() - form.before
        # It begins a word, after which ASCII alone counts: `ключAKIA…`.
        before = text[start - 1 : start]
        if start < free or (before.isascii() and before.isalnum()):
            continue
        end = form.end(text, start)
        if end - start >= LEAST_TOKEN:
            return Span(start, end)
    return None


@lru_cache(maxsize=1)
def _rules() -> _Rules:
    makers = {
        prefix: int(least)
        for line in MAKERS.strip().splitlines()
        for least, prefixes in [line[20:].split(" ", 1)]
        for prefix in prefixes.split()
    }
    all_forms = []
    for line in FORMS.strip().splitlines():
        name, (literal, before, pattern) = line[:14].strip(), line[14:].split()
        pattern = f"{pattern}(?![A-Za-z0-9])"
        all_forms.append(TokenForm(name, (literal,), int(before), pattern, entropy=2.5))
    for rule in _data()["tokens"]:
        found_at = tuple(rule["literals"])
        form = TokenForm(rule["id"], found_at, rule["before"], rule["pattern"], rule["entropy"])
        all_forms.append(form)
    by_literal: dict[str, list[TokenForm]] = {}
    for form in all_forms:
        for literal in form.literals:
            by_literal.setdefault(literal, []).append(form)
    literals = sorted({*makers, *by_literal})
    # A match of a long literal is also one of the literals that it begins with.
    forms = {
        literal: tuple(
            form
            for length in range(len(literal), 0, -1)
            for form in by_literal.get(literal[:length], ())
        )
        for literal in literals
    }
    within = {
        literal
        for of_it in by_literal.values()
        for f in of_it
        if f.before
        for literal in f.literals
    }
    beginning = _one_of(literal for literal in literals if literal not in within)
    anywhere = rf"(?<![A-Za-z0-9]){beginning}|{_one_of(within)}"
    return _Rules(re.compile(anywhere), makers, forms)


def _one_of(words: Iterable[str]) -> str:
    """A pattern for the longest of `words` at a position, grouped by first letter for speed."""
    by_letter: dict[str, list[str]] = {}
    for word in sorted(words, reverse=True):
        by_letter.setdefault(word[0], []).append(re.escape(word[1:]))
    letters = (f"{re.escape(first)}(?:{'|'.join(rest)})" for first, rest in by_letter.items())
    return f"(?:{'|'.join(letters)})"


@lru_cache(maxsize=1)
def _vendors() -> re.Pattern[str]:
    return re.compile("|".join(dict.fromkeys(names for names, _ in _named_rules())), re.IGNORECASE)


@lru_cache(maxsize=1)
def _named_rules() -> tuple[tuple[str, str], ...]:
    return tuple((rule["names"], rule["value"]) for rule in _data()["named"])


def _data() -> Any:
    from pkgutil import get_data  # noqa: PLC0415  read by few commands

    return json.loads(get_data(__package__, "vendor_tokens.json") or b"{}")


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.ASCII)
