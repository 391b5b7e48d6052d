"""What Overdrive's spaces, cards, awards and abilities say, as short texts made from the rules in force."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from overdrive_sim.kernels.layout import FACE_LETTERS, TRACKS

#: Names of the faces, in the order of their letters; ``?`` on a card is any face.
FACES = dict(zip(FACE_LETTERS, ("Horns Up", "Skull", "Chord", "Influence"), strict=True)) | {"?": "any face"}

_SPACE_EFFECTS = {
    "improvisation": "turn one of your dice to Horns Up or Influence",
    "jam_session": "use an opponent's die that lies on a space",
    "new_riff": "turn one of your dice to Chord",
    "new_member": "gain an extra die",
    "opportunity": "clear an occupied space",
}


def levels_text(levels: Mapping[str, int], joined: str = ", ") -> str:
    """Levels of tracks as text: ``+2 Fans, +1 Fame``."""
    return joined.join(f"+{levels[track]} {track.capitalize()}" for track in TRACKS if levels.get(track))


def space_text(name: str, space: Any) -> str:
    """What an allocation to a space of the board brings, and what it costs."""
    gain = levels_text(space.reward, " or " if name == "acoustic" else ", ")
    text = _SPACE_EFFECTS.get(name, gain) or "nothing"
    return text + (f" (costs {space.cost} Grana)" if space.cost else "")


def hit_text(hit: Any) -> str:
    """What a Hit takes and brings: ``II? for +2 Fame``."""
    return "; or ".join(f"{way.spaces} for {levels_text(way.reward)}" for way in hit.all_ways())


def distortion_text(card: Any) -> str:
    """What a Distortion card does."""
    source, target = FACES.get(card.from_ or "", ""), FACES.get(card.to or "", "")
    return {
        "gain": f"gain {levels_text({card.track: card.amount})}" if card.track else "",
        "clear_space": "clear an occupied space",
        "skulls_to_one": "turn all Skulls to one other face",
        "skulls_wild": "Skulls count as any face",
        "choose_faces": f"choose the faces of {card.amount} dice",
        "all_to": f"turn all dice to {target}",
        "face_to": f"turn all {source} to {target}",
        "either_way": f"turn all {source} to {target}, or the other way",
        "protect": "protect a die from an attack",
    }[card.effect]


def ability_text(ability: Any) -> str:
    """What ability A or B of a sheet does."""
    source, target = FACES.get(ability.from_ or "", ""), FACES.get(ability.to or "", "")
    return {
        "change": f"turn one die from {source} to {target}",
        "re_roll": "re-roll any dice",
        "extra_grana": "a gain of Grana gives 1 more",
        "extra_fans": "a gain of Fans gives 1 more",
        "extra_overdrive": "a gain of Overdrive gives 1 more",
        "fans_to_fame": f"give {ability.cost} Fans for {ability.gain} Fame",
        "fans_give_fame": "a gain of Fans gives 1 Fame",
        "overdrive_gives_grana": "each level of Overdrive gives 1 Grana",
        "stage": f"a space of its own: {ability.spaces} for {levels_text(ability.reward or {})}",
        "take": "use an opponent's die that lies on a space",
        "single_faces": f"{ability.faces} Horns Up faces, each usable once",
        "clear": "clear an occupied space",
        "fans_give_any": "a gain of Fans gives a level of another track",
        "copies": "copies an ability of another band",
    }[ability.does]


def special_text(special: Any) -> str:
    """What ability C of a sheet scores."""
    tracks = f" {special.joined} ".join(track.capitalize() for track in special.tracks)
    levels = "each level" if special.per == 1 else f"every {special.per} levels"
    return f"1 point for {levels} of {tracks}, at most {special.most}"
